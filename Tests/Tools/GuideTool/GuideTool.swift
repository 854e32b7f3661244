import Foundation

/// Applies the steps of a document's section to a folder: `guide DOCUMENT SECTION FOLDER`.
@main
struct GuideTool {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else { throw GuideError("usage: guide DOCUMENT SECTION FOLDER") }
    do {
      let document = try String(contentsOfFile: arguments[1], encoding: .utf8)
      try Guide(document, section: arguments[2]).follow(in: URL(filePath: arguments[3]))
    } catch let error as GuideError {
      print("error: \(arguments[1]), '\(arguments[2])': \(error)")
      exit(1)
    }
  }
}
