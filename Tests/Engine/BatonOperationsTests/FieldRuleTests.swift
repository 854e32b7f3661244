import Foundation
import Testing

@testable import BatonOperations

/// The parser of fields and the OpenAPI description, which must allow the same values.
@Suite struct FieldRuleTests {
  /// The part of JSON Schema that the rules use, which the test evaluates with Foundation's
  /// regular expressions.
  private struct Schema: Decodable {
    let type: String
    var minimum, maximum: Int64?
    var minLength, maxLength: Int?
    var pattern: String?
    var `enum`: [String]?

    func allows(_ text: String) -> Bool {
      switch type {
      case "integer":
        guard let number = Decimal(string: text), text.wholeMatch(of: /-?(0|[1-9][0-9]*)/) != nil
        else { return false }
        return number >= Decimal(minimum ?? .min) && number <= Decimal(maximum ?? .max)
      case "boolean": return text == "true" || text == "false"
      default:
        let length = text.unicodeScalars.count
        return length >= minLength ?? 0 && length <= maxLength ?? .max
          && `enum`?.contains(text) != false && matches(text)
      }
    }

    private func matches(_ text: String) -> Bool {
      guard let pattern, let expression = try? NSRegularExpression(pattern: pattern) else {
        return pattern == nil
      }
      let whole = NSRange(location: 0, length: text.utf16.count)
      return expression.firstMatch(in: text, range: whole)?.range == whole
    }
  }

  private func schema(_ field: APIField) throws -> Schema {
    try JSONDecoder().decode(Schema.self, from: Data(field.rule.schema.utf8))
  }

  private static let texts: [String] = {
    let alphabet = ["0", "1", "9", "a", "f", "z", "A", "-", "é", "𝄞", "\u{7f}", "\u{0}", "\n", " "]
    let lengths = [0, 1, 2, 15, 16, 17, 18, 19, 20, 59, 60, 62, 63, 64, 255, 256, 257, 65_536]
    return alphabet.flatMap { letter in lengths.map { String(repeating: letter, count: $0) } } + [
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-1", "-0", "+1",
      "007", "1000", "1001", "1.0", "1e3", "NaN", "inf", "true", "True", "ready", "dead", "ended",
      "1-2-3", "1-2-3-4", "-1-2", "0123456789abcdef", "0123456789abcdef\n", "a\u{202E}b",
      "2024-02-29T00:00:00Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59Z", "10000-01-01T00:00:00Z", "1969-12-31T23:59:59Z",
      "2024-01-01T24:00:00Z", "2024-01-01T23:59:60Z", "2024-13-01T00:00:00Z",
      "2024-01-32T00:00:00Z", "2024-01-01T00:00:00+00:00", "2024-01-01",
    ]
  }()

  @Test(arguments: APIField.allCases)
  func `the parser allows what the description allows`(field: APIField) throws {
    let schema = try schema(field)
    let rule = field.rule
    var allowed = 0
    for text in Self.texts {
      #expect(
        rule.isGood(text) == schema.allows(text), "\(field) \(text.prefix(80).debugDescription)")
      if rule.isGood(text) { allowed += 1 }
    }
    #expect(allowed > 0 && allowed < Self.texts.count)
  }

  @Test func `each bound of a number is allowed, and the number outside of it is not`() throws {
    for field in APIField.allCases {
      let schema = try schema(field)
      guard let least = schema.minimum, let most = schema.maximum else { continue }
      #expect(field.rule.isGood("\(least)") && field.rule.isGood("\(most)"))
      #expect(!field.rule.isGood("\(Decimal(least) - 1)"))
      #expect(!field.rule.isGood("\(Decimal(most) + 1)"))
    }
  }

  @Test func `a day that the calendar does not have is not an instant`() {
    #expect(!FieldRule.instant.isGood("2023-02-29T00:00:00Z"))
    #expect(FieldRule.instant.isGood("2024-02-29T00:00:00Z"))
  }
}
