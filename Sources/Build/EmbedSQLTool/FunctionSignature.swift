/// The name, parameters and result of a SQL function, read from the file that creates it.
struct FunctionSignature {
  /// A parameter or a result column.
  struct Field {
    let name: String
    let type: String
  }

  enum Result {
    case nothing
    case value(type: String)
    case rows([Field])
  }

  let name: String
  let parameters: [Field]
  let result: Result

  /// Parses the signature in the text of a function's file.
  ///
  /// - Parameter composites: the columns of the composite types that a function may return.
  /// - Throws: ``Failure`` if the signature cannot be parsed.
  init(_ name: String, _ text: String, composites: [String: [Field]]) throws {
    let text = Self.withoutComments(text)
    let form =
      /create or replace function (\w+)\s*\(([^)]*)\)\s*returns\s+(?:table\s*\(([^)]*)\)|(?:setof\s+)?(\w+(?: precision)?))/
    guard let match = text.firstMatch(of: form), match.1 == name else {
      throw Failure(
        "functions/\(name).sql: its parameters and its result cannot be read. Write its statement in api/\(name).sql."
      )
    }
    self.name = name
    parameters = try Self.fields(String(match.2), in: name)
    if let columns = match.3 {
      result = .rows(try Self.fields(String(columns), in: name))
    } else {
      let type = String(match.4 ?? "")
      result = composites[type].map(Result.rows) ?? (type == "void" ? .nothing : .value(type: type))
    }
  }

  /// Returns the columns of each type that a migration creates with `create type NAME as (...)`.
  static func composites(in text: String) throws -> [String: [Field]] {
    var found: [String: [Field]] = [:]
    for match in withoutComments(text).matches(of: /create type (\w+) as \(([^;]*)\);/) {
      found[String(match.1)] = try fields(String(match.2), in: String(match.1))
    }
    return found
  }

  private static func withoutComments(_ text: String) -> String {
    text.replacing(/--[^\n]*/, with: "")
  }

  /// Parses a list of the form `name type [default value], ...`.
  private static func fields(_ text: String, in owner: String) throws -> [Field] {
    try text.split(separator: ",").map { field in
      guard
        let match = field.firstMatch(of: /^\s*("?\w+"?)\s+(double precision|\w+(?:\[\])?)(?:\s|$)/)
      else {
        throw Failure(
          "\(owner): '\(field)' cannot be read as a name and a type. Write the statement in api/ yourself."
        )
      }
      return Field(name: String(match.1), type: String(match.2))
    }
  }
}
