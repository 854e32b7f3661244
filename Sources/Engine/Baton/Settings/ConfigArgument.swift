/// The `--config FILE` argument, before or after the command.
///
/// The settings file contains defaults for arguments, so the file is read before the parser runs.
struct ConfigArgument {
  /// The path of the settings file, or nil if the argument is missing.
  private(set) var path: String?
  /// The arguments other than `--config FILE`.
  private(set) var others: [String] = []

  private static let name = "--config"

  /// Finds the `--config FILE` argument.
  ///
  /// - Throws: ``Complaint`` if `--config` appears twice or without a file.
  init(_ arguments: [String]) throws(Complaint) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        others += [argument] + rest
        break
      }
      guard argument == Self.name || argument.hasPrefix("\(Self.name)=") else {
        others.append(argument)
        continue
      }
      let value =
        argument == Self.name ? rest.popFirst() : String(argument.dropFirst(Self.name.count + 1))
      guard path == nil else {
        throw Complaint(
          .usage, what: "\(Self.name) is given twice.", place: "the arguments",
          next: "Name one file.")
      }
      guard let value, !value.isEmpty else {
        throw Complaint(
          .usage, what: "\(Self.name) needs the path of a file.", place: "the arguments",
          next: "Write \(Self.name) FILE.")
      }
      path = value
    }
  }
}
