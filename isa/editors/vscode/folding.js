// Folds from a directive to the one that closes it, as the language's configuration names them, and nothing by indentation: labels
// stand in the first column and code does not, so that VS Code would fold whatever is behind a label.
const vscode = require("vscode");
const { markers } = require("./language-configuration.json").folding;

exports.activate = (context) => {
  const start = new RegExp(markers.start), end = new RegExp(markers.end);
  const provider = {
    provideFoldingRanges(document) {
      const ranges = [], open = [];
      for (let line = 0; line < document.lineCount; ++line) {
        const text = document.lineAt(line).text;
        if (start.test(text)) open.push(line);
        else if (end.test(text) && open.length) ranges.push(new vscode.FoldingRange(open.pop(), line));
      }
      return ranges;
    },
  };
  context.subscriptions.push(vscode.languages.registerFoldingRangeProvider("leno", provider));
};

exports.deactivate = () => {};
