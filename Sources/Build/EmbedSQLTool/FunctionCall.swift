/// A generated statement that calls a function with all parameters and selects all result columns.
///
/// If a value's type is in `binary`, the client sends and receives the value in binary format. For
/// any other type, the statement casts the value to or from text.
struct FunctionCall {
  let signature: FunctionSignature

  private static let binary: Set = [
    "text", "identifier", "integer", "bigint", "boolean", "double precision", "timestamptz",
    "uuid",
  ]

  var text: String {
    let arguments = signature.parameters.enumerated().map { index, parameter in
      "$\(index + 1)" + (Self.isSent(parameter.type) ? "" : "::text::\(parameter.type)")
    }
    let call = "\(signature.name)(\(arguments.joined(separator: ", ")))"
    let header = "-- Generated from functions/\(signature.name).sql."
    return switch signature.result {
    case .nothing: "\(header)\nselect from \(call)"
    case .value(let type): "\(header)\nselect \(call)\(Self.cast(type))"
    case .rows(let columns):
      """
      \(header)
      select \(columns.map { $0.name + Self.cast($0.type) }.joined(separator: ", "))
      from \(call)
      """
    }
  }

  private static func isSent(_ type: String) -> Bool {
    binary.contains(type.hasSuffix("[]") ? String(type.dropLast(2)) : type)
  }

  private static func cast(_ type: String) -> String { binary.contains(type) ? "" : "::text" }
}
