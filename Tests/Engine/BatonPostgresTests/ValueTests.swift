import BatonPostgres
import Foundation
import TestSupport
import Testing

/// A bound value is returned unchanged, and the server stores exactly this value.
struct ValueTests {
  private func echo<Value: PostgresEncodable & PostgresDecodable & Equatable>(
    _ values: [Value], as type: String
  ) async throws {
    try await withConnection { connection in
      for value in values {
        let answer = try await connection.run(
          .value("select $1::\(type)", value, as: Value.self))
        #expect(answer == value)
      }
    }
  }

  @Test func `text with every awkward character comes back byte for byte`() async throws {
    var awkward = (1...0x2FF).compactMap { Unicode.Scalar($0) }.map(String.init)
    awkward += ["", " ", "'; drop table x; --", "\\", "\"", "$1", "a\u{0301}", "\u{e1}", "🏋🏽‍♀️"]
    awkward += ["\u{10FFFF}", "\u{FFFE}", "\u{202E}right to left", "\r\n", "NULL", "{}", "(,)"]
    awkward += [String(repeating: "x", count: 300_000), awkward.joined()]
    try await withConnection { connection in
      for text in awkward {
        let (back, length) = try await connection.pipeline(
          .value("select $1::text", text, as: String.self),
          .value("select octet_length($1::text)", text, as: Int32.self))
        // The test does not use `==`, for which two spellings of one letter are equal.
        #expect(Array(back.utf8) == Array(text.utf8))
        #expect(Int(length) == text.utf8.count)
      }
    }
  }

  @Test func `empty text is not NULL and NULL is not empty text`() async throws {
    try await withConnection { connection in
      let (empty, null, isNull) = try await connection.pipeline(
        .value("select $1::text", "" as String?, as: String?.self),
        .value("select $1::text", nil as String?, as: String?.self),
        .value("select $1::text is null", "", as: Bool.self))
      #expect(empty == "")
      #expect(null == nil)
      #expect(!isNull)
    }
  }

  @Test func `integers come back at their extremes`() async throws {
    try await echo([Int32.min, -1, 0, 1, .max], as: "integer")
    try await echo([Int64.min, -1, 0, 1, .max], as: "bigint")
  }

  @Test func `floating-point numbers come back bit by bit`() async throws {
    try await echo(
      [0.1, -0.0, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity] as [Double],
      as: "double precision")
  }

  @Test func `booleans and UUIDs come back`() async throws {
    try await echo([true, false], as: "boolean")
    try await echo(
      [UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))], as: "uuid")
  }

  @Test func `timestamps come back to the microsecond`() async throws {
    let instants: [Int64] = [
      0, 1, -1, 999_999, 946_684_800_000_000, 946_684_799_999_999, 1_717_372_799_999_999,
      // The date 4713-01-01 BC, and a date in the year 30,000.
      -210_866_716_800_000_000, 884_541_000_000_000_123,
    ]
    try await echo(instants.map(Timestamp.init(microseconds:)), as: "timestamptz")
  }

  @Test func `a timestamp is the instant that the server prints`() async throws {
    try await withConnection { connection in
      let text = try await connection.run(
        .value(
          "select ($1::timestamptz at time zone 'UTC')::text",
          Timestamp(microseconds: 1_709_251_199_999_999), as: String.self))
      #expect(text == "2024-02-29 23:59:59.999999")
    }
  }

  @Test func `arrays arrive with their elements, commas, quotes, braces and NULLs`() async throws {
    let texts: [String?] = ["a,b", "{}", "\"quoted\"", "\\", "", nil, "NULL", "é\n", " "]
    try await withConnection { connection in
      let (count, joined, nulls, empties) = try await connection.pipeline(
        .value("select cardinality($1::text[])", texts, as: Int32.self),
        .value("select array_to_string($1::text[], '|', '<null>')", texts, as: String.self),
        .value(
          "select cardinality(array_positions($1::integer[], null))", [1, nil, 3, nil] as [Int32?],
          as: Int32.self),
        .value("select cardinality($1::text[])", [] as [String], as: Int32.self))
      #expect(count == 9)
      #expect(joined == "a,b|{}|\"quoted\"|\\||<null>|NULL|é\n| ")
      #expect(nulls == 2)
      #expect(empties == 0)
    }
  }

  @Test func `arrays of every kind keep values and order`() async throws {
    let ids = [UUID(), UUID()]
    let instants = [Timestamp(microseconds: 1), Timestamp(microseconds: -1)]
    try await withConnection { connection in
      let (longs, flags, uuids, times) = try await connection.pipeline(
        .value("select ($1::bigint[])[2]", [1, .max] as [Int64], as: Int64.self),
        .value("select ($1::boolean[])[2]", [false, true], as: Bool.self),
        .value("select ($1::uuid[])[2]", ids, as: UUID.self),
        .value("select ($1::timestamptz[])[2]", instants, as: Timestamp.self))
      #expect(longs == .max)
      #expect(flags)
      #expect(uuids == ids[1])
      #expect(times == instants[1])
    }
  }

  @Test func `bytes arrive as they are`() async throws {
    try await withConnection { connection in
      let (all, none) = try await connection.pipeline(
        .value("select encode($1::bytea, 'hex')", Bytes(Array(0...255)), as: String.self),
        .value("select octet_length($1::bytea)", Bytes([]), as: Int32.self))
      #expect(all.hasPrefix("000102") && all.hasSuffix("fdfeff") && all.utf8.count == 512)
      #expect(none == 0)
    }
  }

  @Test func `an enum, a name, json and a domain over text are read as text`() async throws {
    try await withSchemas { connection, schema, _ in
      let (_, _, mood, name, json, word) = try await connection.atomically(
        in: schema,
        .execute("create type mood as enum ('glad', 'sad')"),
        .execute("create domain word as text check (value <> '')"),
        .value("select 'sad'::mood", as: String.self),
        .value("select 'n'::name", as: String.self),
        .value("select '{\"a\": 1}'::json", as: String.self),
        .value("select 'w'::word", as: String.self))
      #expect([mood, name, json, word] == ["sad", "n", "{\"a\": 1}", "w"])
    }
  }
}
