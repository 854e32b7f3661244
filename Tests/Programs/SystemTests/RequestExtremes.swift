import Foundation
import TestSupport
import Testing

/// The extreme values, and the names of everything that a client can send.
///
/// The names come from the program's own description and sources, so new pages and parameters are
/// tested as well.
enum RequestExtremes {
  /// Some of the values, encoded for an address.
  static let values = Randomness.sample(10, of: all)

  private static let all = [
    "-9223372036854775808", "-9223372036854775809", "9223372036854775807",
    "9223372036854775806", "9223372036854774784", "9223372036854775808", "-1", "-0", "0", "1",
    "2147483647", "2147483648", "-2147483649", "4294967294", "4294967295", "4294967296",
    "99999999999999999999999999999999999999", "", "NaN", "inf", "-inf", "1e308", "1e400",
    "1" + String(repeating: "0", count: 400), "0x7fffffffffffffff", "%D9%A1%D9%A2",
    "%EF%BC%91%EF%BC%92", "+1", "1.5",
    // Cursors, with each part at its end.
    "9223372036854775807-9223372036854775807", "9999999999999999999-9999999999999999999",
    "9223372036854775806-9223372036854775807-9223372036854775807",
    "9223372036854775807-4294967295-65535", "4294967295-65535", "4294967295-65536", "0-0-0",
    "1-9223372036854775807",
    // Instants.
    "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01", "9999-12-31",
    "1969-12-31T23:59:59Z", "10000-01-01T00:00:00Z", "0001-01-01T00:00:00Z",
    "99999-01-01T00:00:00Z", "9999999999999999999-01-01T00:00:00Z", "294277-01-01T00:00:00Z",
    "-4713-01-01T00:00:00Z", "2024-99-99T99:99:99Z", "2024-02-30T00:00:00Z",
    "%D9%A2%D9%A0%D9%A2%D9%A4-01-01T00:00:00Z",
    // Texts.
    "%00", "a%00b", "%0A", "%7F", "%E2%80%AE1%E2%81%A6", "%ff", "%c0%80", "%ed%a0%80", "%", "%zz",
    "'", "%22%3B--", String(repeating: "%F0%9D%84%9E", count: 256),
    String(repeating: "k", count: 4_000), String(repeating: "k", count: 60_000),
  ]

  /// Queries with many values of one parameter.
  static func many(_ name: String) -> String {
    Array(repeating: "\(name)=1", count: 300).joined(separator: "&")
  }

  /// Values of JSON that are neither texts, nor whole numbers, nor Boolean values.
  static let json = [
    "[" + Array(repeating: "1", count: 5_000).joined(separator: ",") + "]", "{}", "null", "1.5",
    "1e400", "-0", "1" + String(repeating: "0", count: 400), "9223372036854775808",
    String(repeating: "[", count: 5_000),
  ]

  /// The names of all parameters that pages read from their addresses.
  static func parameters() throws -> [String] {
    let sources = Checkout.root.appending(path: "Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var names: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /request(?:\.query\?)?\["([a-z]+)"\]/) {
        names.insert(String(match.1))
      }
    }
    #expect(names.isSuperset(of: ["state", "key", "behind", "begins", "after", "said", "next"]))
    return names.sorted()
  }

  /// The actions of forms, and the names of their fields.
  static func actions() throws -> (names: [String], fields: [String]) {
    let text = try Checkout.text("Sources/Engine/BatonOperations/Pages/ActionForm.swift")
    let kinds = try #require(text.firstMatch(of: /enum Kind[^{]*\{([^}]*)\}/)).1
    let names = kinds.split(separator: "\n").flatMap { line -> [String] in
      if let named = line.firstMatch(of: /= "([a-z-]+)"/) { return [String(named.1)] }
      return line.drop { $0 == " " }.dropFirst("case ".count).split(separator: ", ").map(
        String.init)
    }
    let documented = try #require(text.firstMatch(of: /The possible field names are ([^.]*)\./)).1
    let fields = documented.matches(of: /`([a-z]+)`/).map { String($0.1) }
    #expect(names.contains("dry-run") && names.count >= 13 && fields.count >= 8)
    return (names, fields)
  }

  /// The description of the API, as far as the values of fields are concerned.
  struct Description: Decodable {
    struct Operation: Decodable {
      struct Parameter: Decodable {
        let name: String
        let `in`: String
        let schema: Schema
      }
      struct Body: Decodable {
        let content: [String: Content]
        struct Content: Decodable { let schema: Properties }
        struct Properties: Decodable { let properties: [String: Schema] }
        var properties: [String: Schema] { content["application/json"]?.schema.properties ?? [:] }
      }
      let parameters: [Parameter]
      let requestBody: Body?
    }
    let paths: [String: [String: Operation]]
  }

  /// The rule for one field.
  struct Schema: Decodable {
    let type: String
    var minimum, maximum: Int64?
    var minLength, maxLength: Int?
    var pattern: String?
    var `enum`: [String]?

    /// The values at the bounds and outside of them, and whether they are allowed.
    var tried: [(value: String, isAllowed: Bool)] {
      bounds.map { ($0, true) } + outside.map { ($0, false) }
    }

    /// The values at the bounds, which the API must not refuse.
    var bounds: [String] {
      if let words = `enum` { return words }
      if let minimum, let maximum { return ["\(minimum)", "\(maximum)"] }
      guard let pattern, let expression = try? NSRegularExpression(pattern: pattern) else {
        return []
      }
      return ["a", "9"].flatMap { letter in
        [minLength, maxLength].compactMap { $0 }.map { String(repeating: letter, count: $0) }
      }.filter {
        expression.firstMatch(in: $0, range: NSRange(location: 0, length: $0.utf16.count)) != nil
      }
    }

    /// The numbers just outside of the bounds, which the API must refuse.
    var outside: [String] {
      guard let minimum, let maximum else { return [] }
      return ["\(Decimal(minimum) - 1)", "\(Decimal(maximum) + 1)"]
    }
  }
}
