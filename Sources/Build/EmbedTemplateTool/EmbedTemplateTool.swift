import Foundation

/// Generates the `Template` enum.
///
/// The enum contains the paths and texts of the template's files, and the names of the targets and
/// products in Baton's manifest.
@main
struct EmbedTemplateTool {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 4 else {
      print("error: usage: EmbedTemplateTool ROOT OUTPUT MANIFEST FILE...")
      exit(1)
    }
    let root = arguments[1].hasSuffix("/") ? arguments[1] : arguments[1] + "/"
    var lines = [
      "// Generated from the files of \(root).",
      "/// The files of a whole package, by their paths in it.",
      "package enum Template {",
      "  /// In order of their paths.",
      "  package static let files: [(path: String, text: String)] = [",
    ]
    let files = arguments.dropFirst(4).filter { file in
      [".swift", ".sql", ".md", ".service", ".yml", "/Dockerfile", "/.dockerignore", "/.gitignore"]
        .contains(where: file.hasSuffix)
    }
    for file in files.sorted() {
      guard file.hasPrefix(root) else {
        print("error: \(file) is not below \(root)")
        exit(1)
      }
      let text = try String(contentsOfFile: file, encoding: .utf8)
      // The line break before the closing quotes is not part of the literal.
      lines.append("    (\"\(file.dropFirst(root.count))\", ####\"\"\"\n\(text)\n\"\"\"####),")
    }
    lines += [
      "  ]", "",
      "  /// What Baton's own manifest calls its targets and products, among other words.",
    ]
    let manifest = try String(contentsOfFile: arguments[3], encoding: .utf8)
    let names = Set(manifest.matches(of: /"(\w+)"/).map { $0.output.1 })
    lines += ["  package static let names: Set<String> = ["]
    lines += names.sorted().map { "    \"\($0)\"," } + ["  ]", "}", ""]
    try lines.joined(separator: "\n")
      .write(toFile: arguments[2], atomically: true, encoding: .utf8)
  }
}
