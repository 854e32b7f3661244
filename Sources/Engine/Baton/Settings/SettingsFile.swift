import Foundation

/// A settings file with one `KEY=VALUE` pair on each line.
///
/// If any line is invalid, the whole file is rejected.
struct SettingsFile: Sendable {
  /// A value and its line number.
  struct Entry: Sendable, Equatable {
    let value: String
    let line: Int
  }

  let path: String
  private(set) var entries: [String: Entry] = [:]

  /// The maximum size of a settings file, in bytes.
  private static let most = 1 << 16

  /// Reads a settings file and checks each line.
  ///
  /// - Throws: ``Complaint`` if a line is invalid, or the file cannot be read or is world-writable.
  init(reading path: String, of settings: [Setting]) throws(Complaint) {
    self = try SettingsFile(Self.bytes(of: path), at: path, of: settings)
  }

  /// Parses and checks each line of a settings file.
  ///
  /// - Throws: ``Complaint`` with the invalid line's number.
  init(_ bytes: [UInt8], at path: String, of settings: [Setting]) throws(Complaint) {
    self.path = path
    let known = Dictionary(uniqueKeysWithValues: settings.map { ($0.name, $0) })
    // The text is split by bytes, because CR LF is a single `Character` that is not equal to a line
    // feed.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let place = "\(path):\(index + 1)"
      guard let text = String(validating: line, as: UTF8.self) else {
        throw Complaint(
          .usage, what: "A line is not UTF-8.", place: place, next: "Write the file in UTF-8.")
      }
      let trimmed = text.trimmingCharacters(in: .whitespaces.union(["\r"]))
      guard !trimmed.isEmpty, !trimmed.hasPrefix("#") else { continue }
      let (key, value) = try Self.parts(of: trimmed, place: place)
      guard let setting = known[key] else { throw Self.unknown(key, settings, place: place) }
      try Self.check(value, of: setting, place: place)
      if let first = entries[key] {
        throw Complaint(
          .usage, what: "\(key) is set twice.", place: place,
          next: "Remove this line or line \(first.line).")
      }
      entries.updateValue(Entry(value: value, line: index + 1), forKey: key)
    }
  }

  /// The values of the settings, by key.
  var values: [String: String] { entries.mapValues(\.value) }

  // MARK: A line

  private static func parts(
    of line: String, place: String
  ) throws(Complaint) -> (key: String, value: String) {
    guard let sign = line.firstIndex(of: "=") else {
      // The message does not contain the invalid line, because the line may be part of a password.
      throw Complaint(
        .usage, what: "A line has no =.", place: place,
        next: "Write KEY=VALUE on one line, or # before a comment.")
    }
    let key = line[..<sign].trimmingCharacters(in: .whitespaces)
    let value = line[line.index(after: sign)...].trimmingCharacters(in: .whitespaces)
    return (key, value)
  }

  private static func unknown(_ key: String, _ settings: [Setting], place: String) -> Complaint {
    let names = settings.filter { !$0.isSecret }.map(\.name).joined(separator: ", ")
    return Complaint(
      .usage, what: "There is no setting '\(key)'.", place: place,
      next: "Remove the line, or write one of these: \(names).")
  }

  private static func check(
    _ value: String, of setting: Setting, place: String
  ) throws(Complaint) {
    guard !setting.isSecret && !SecretArguments.holdsPassword(value) else {
      // The message does not repeat the value, because the value is a secret.
      throw Complaint(
        .usage, what: "\(setting.name) contains a secret, which a settings file must not contain.",
        place: place,
        next: "Change the secret, write the new secret into a separate file with mode 600, and "
          + "name it in \(setting.isSecret ? Setting.httpTokenFile.name : Setting.passwordFile.name)."
      )
    }
    guard !value.isEmpty else {
      throw Complaint(
        .usage, what: "\(setting.name) has no value.", place: place,
        next: "Write a value after the =, or remove the line.")
    }
    guard !value.hasPrefix("\""), !value.hasPrefix("'") else {
      throw Complaint(
        .usage, what: "The value of \(setting.name) is in quotes, which would be part of it.",
        place: place, next: "Write the value without quotes. A value ends with its line.")
    }
    if let problem = setting.problem(with: value) {
      throw Complaint(
        .usage, what: "\(setting.name): \(problem.what)", place: place, next: problem.next)
    }
  }

  // MARK: The file

  private static func bytes(of path: String) throws(Complaint) -> [UInt8] {
    // A blocking `open` of a pipe would wait until another process opens the pipe for writing.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      throw Complaint(
        .noInput,
        what: "The settings file cannot be read: \(String(cString: strerror(errno))).",
        place: path, next: "Name a file that exists and that this user may read.")
    }
    defer { close(descriptor) }
    // The permissions are read from the opened file, because the file at the path may have been
    // replaced.
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      throw Complaint(
        .noInput, what: "The settings file is not a regular file.", place: path,
        next: "Name a regular file.")
    }
    // A user who can write the file could make this program send its password to another server.
    guard information.st_mode & S_IWOTH == 0 else {
      throw Complaint(
        .notAllowed, what: "The settings file is world-writable.", place: path,
        next: "Run chmod o-w \(path), and check the file's content.")
    }
    var bytes = [UInt8](repeating: 0, count: most + 1)
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
      }
      guard more > 0 else { break }
      count += more
    }
    guard count <= most else {
      throw Complaint(
        .usage, what: "The settings file has more than \(most) bytes.", place: path,
        next: "Name the right file.")
    }
    return Array(bytes[..<count])
  }
}
