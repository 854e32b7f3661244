/// `--config FILE` among the arguments, before or behind the command.
///
/// Looked for before the parser: which settings there are decides what commands take where no argument says.
struct ConfigArgument {
  /// The file; nil: none is named.
  private(set) var path: String?
  /// The arguments without it.
  private(set) var others: [String] = []

  private static let name = "--config"

  /// - Throws: ``Complaint`` where it is there twice, or without a file.
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
          .usage, what: "\(Self.name) names no file.", place: "the arguments",
          next: "Write \(Self.name) FILE.")
      }
      path = value
    }
  }
}
