/* Loaded into a tool before it starts: the process rounds upward and takes subnormals for zeros, and so does each
 * thread that it starts. */
#define _GNU_SOURCE
#include "test/unit/HostFloats.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

__attribute__((constructor)) static void start(void) { setHostFloats(FE_UPWARD); }

struct thread {
  void *(*function)(void *);
  void *argument;
};

static void *run(void *data) {
  struct thread thread = *(struct thread *)data;
  free(data);
  setHostFloats(FE_UPWARD);
  return thread.function(thread.argument);
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
  struct thread *thread = malloc(sizeof *thread);
  thread->function = function, thread->argument = argument;
  return create(id, attributes, run, thread);
}
