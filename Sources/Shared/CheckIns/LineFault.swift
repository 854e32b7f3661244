/// The reason why a line is malformed.
enum LineFault: Error {
  case empty
  case fieldCount(Int)
  case openQuote
  case strayQuote
  case textAfterQuote
  case emptyName(String)
  case longName(String, Int)
  case notUTF8(String)
  case controlCharacter(String)
  case notATime
  case noSuchTime
  case offsetRange

  var description: String {
    switch self {
    case .empty: "the line is empty"
    case .fieldCount(let count): "\(count) \(count == 1 ? "field" : "fields") instead of 3"
    case .openQuote: "a quoted field does not end on its line (names hold no line breaks)"
    case .strayQuote: "a quote in a field without quotes around it"
    case .textAfterQuote: "text after a field's closing quote (a quote inside is doubled)"
    case .emptyName(let field): "\(field) is empty"
    case .longName(let field, let count): "\(field) has \(count) bytes; 90 is the most"
    case .notUTF8(let field): "\(field) is not UTF-8"
    case .controlCharacter(let field): "\(field) holds a control character"
    case .notATime:
      "occurred_at is not a time like 2024-02-29T23:59:59+01:00 (or .123456, or Z)"
    case .noSuchTime: "occurred_at names a day or an hour that does not exist"
    case .offsetRange: "occurred_at has an offset outside -12:00 to +14:00"
    }
  }
}
