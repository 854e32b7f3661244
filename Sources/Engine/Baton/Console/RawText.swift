import Foundation

/// Checks that the bytes of arguments and environment variables are valid UTF-8.
///
/// `CommandLine.arguments` and `ProcessInfo` replace invalid bytes with U+FFFD. With replaced
/// bytes, two distinct keys could become equal, and the command would process the wrong run.
enum RawText {
  /// Checks all arguments, and the environment variables that the program reads.
  ///
  /// - Throws: ``Complaint`` if an argument or a variable is not UTF-8.
  static func check() throws(Complaint) {
    for position in 1..<max(1, Int(CommandLine.argc)) {
      guard let text = CommandLine.unsafeArgv[position] else { continue }
      try check(text, place: "argument \(position)", isSecret: false)
    }
    let settings = Setting.all(of: Program.application)
    for name in settings.map(\.name) + [Settings.fileVariable] {
      guard let text = getenv(name) else { continue }
      try check(
        text, place: name, isSecret: [Setting.database.name, Setting.httpToken.name].contains(name))
    }
  }

  private static func check(
    _ text: UnsafePointer<CChar>, place: String, isSecret: Bool
  ) throws(Complaint) {
    guard String(validatingCString: text) == nil else { return }
    let bytes = UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
    let shown = bytes.map {
      $0 < 0x80 ? String(UnicodeScalar($0)) : "\\x" + String($0, radix: 16)
    }.joined()
    throw Complaint(
      .usage, what: isSecret ? "The value is not UTF-8." : "'\(shown)' is not UTF-8.",
      place: place,
      next: "Give the value in UTF-8; nothing was done. `locale` shows the terminal's encoding.")
  }
}
