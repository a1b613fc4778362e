" Made from isa/*.td by isa/gen/grammar.py: do not edit.
autocmd BufRead,BufNewFile *.leno setfiletype leno
autocmd BufRead,BufNewFile *.s if search('^\s*\.kernel\>', 'nw') | setlocal filetype=leno | endif
