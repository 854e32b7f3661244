import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import BatonIdentity

/// Keys and codes of claims, in Swift and in the database.
@Suite(.timeLimit(.minutes(5))) struct IdentitySignerTests {
  /// The test cases of RFC 4231, except for the case with a truncated code: key, data and code in
  /// hexadecimal.
  private static let vectors = [
    (
      String(repeating: "0b", count: 20), "4869205468657265",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      "0102030405060708090a0b0c0d0e0f10111213141516171819", String(repeating: "cd", count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      String(repeating: "aa", count: 131),
      "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a"
        + "65204b6579202d2048617368204b6579204669727374",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      String(repeating: "aa", count: 131),
      "5468697320697320612074657374207573696e672061206c6172676572207468"
        + "616e20626c6f636b2d73697a65206b657920616e642061206c61726765722074"
        + "68616e20626c6f636b2d73697a6520646174612e20546865206b6579206e6565"
        + "647320746f20626520686173686564206265666f7265206265696e6720757365"
        + "642062792074686520484d414320616c676f726974686d2e",
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ]

  private static func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).compactMap { start in
      UInt8(hex.dropFirst(start).prefix(2), radix: 16)
    }
  }

  @Test func `the codes of RFC 4231, in Swift and in SQL`() async throws {
    try await TestSchema.with { test in
      for (key, data, code) in Self.vectors {
        #expect(HMACSHA256(key: Self.bytes(key)).hex(of: Self.bytes(data)) == code)
        let inSQL = try await test.sql(Self.code(key, data))
        #expect(inSQL == [code])
      }
    }
  }

  private static func code(_ key: String, _ data: String) -> String {
    """
    select encode(hmac_sha256(
      hmac_block(decode('\(key)', 'hex'), x'3636363636363636'::bigint),
      hmac_block(decode('\(key)', 'hex'), x'5c5c5c5c5c5c5c5c'::bigint),
      decode('\(data)', 'hex')), 'hex')
    """
  }

  @Test func `keys around the length of a block make the same code in Swift and in SQL`()
    async throws
  {
    var random = Randomness().generator
    try await TestSchema.with { test in
      for count in [1, 31, 32, 63, 64, 65, 128] {
        let key = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let hex = key.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
        let code = HMACSHA256(key: key).hex(of: "a claim".utf8)
        let data = "a claim".utf8.map { String($0, radix: 16) }.joined()
        let inSQL = try await test.sql(Self.code(hex, data))
        #expect(inSQL == [code])
      }
    }
  }

  @Test func `a key that is none, or that can be guessed, makes no signer`() {
    let good = String(repeating: "0f", count: 32)
    #expect(IdentitySigner(keyID: 1, key: good)?.keyID == 1)
    #expect(IdentitySigner(keyID: 1, key: good.uppercased()) != nil)
    let (short, shorter) = (String(good.dropLast()), String(good.dropLast(2)))
    for key in ["", "0f", short, shorter, "\(short)g", "\(short) ", "\(shorter)é"] {
      #expect(IdentitySigner(keyID: 1, key: key) == nil, "\(key)")
    }
    #expect(IdentitySigner(keyID: 0, key: good) == nil)
  }

  @Test func `a signer that is printed shows no key`() throws {
    let key = String(repeating: "a1b2", count: 16)
    let signer = try #require(IdentitySigner(keyID: 7, key: key))
    var dumped = ""
    dump(signer, to: &dumped)
    for text in ["\(signer)", String(reflecting: signer), "\([signer])", dumped] {
      #expect(text.contains("7") && !text.contains("161") && !text.contains("a1b2"), "\(text)")
    }
  }

  private func rotate(_ connection: Connection, _ schema: Schema) async throws -> IdentitySigner {
    let key = try await connection.atomically(in: schema, Call<ClaimKey>.rotateKey)
    guard let signer = IdentitySigner(keyID: key.id, key: key.text) else {
      throw TestFailure("key \(key.id) signs nothing")
    }
    return signer
  }

  /// Returns the signers whose claims the database accepts.
  private func counting(
    _ signers: [IdentitySigner], _ connection: Connection, _ schema: Schema
  ) async throws -> [Int] {
    var ids: [Int] = []
    for signer in signers {
      let session = Session(connection, in: schema)
        .acting(as: .user("ann", role: "none", signer: signer))
      if try await session.actor() == "ann" { ids.append(signer.keyID) }
    }
    return ids
  }

  @Test func `a key follows another, both count, and the one before them no more`() async throws {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      var signers: [IdentitySigner] = []
      for expected in [[1], [1, 2], [2, 3]] {
        signers.append(try await rotate(connection, test.schema))
        #expect(try await counting(signers, connection, test.schema) == expected)
      }
      #expect(
        try await test.sql("select id from claim_key order by id") == ["2", "3"])
      // Even manual statements can store at most two keys.
      await expectSQLState(.uniqueViolation) {
        try await test.sql(
          """
          insert into claim_key (id, inner_block, outer_block)
          select 4, inner_block, outer_block from claim_key where id = 3
          """)
      }
      // While a key exists, the row for unsigned claims permits nothing. A table without rows also
      // permits nothing.
      try await test.sql("insert into claim_key (id) values (0)")
      let unsigned = Session(connection, in: test.schema).acting(as: .user("ann", role: "none"))
      #expect(try await unsigned.actor() == nil)
      let zero =
        "1.0.\(Int(Date().timeIntervalSince1970) + 9)...61.\(String(repeating: "0", count: 64))"
      let forged = Identity(role: "none") { _ in .signed(zero) }
      let session = Session(connection, in: test.schema).acting(as: forged)
      #expect(try await session.actor() == nil)
      try await test.sql("delete from claim_key where id > 0")
      #expect(try await unsigned.actor() == "ann")
      try await test.sql("delete from claim_key")
      #expect(try await unsigned.actor() == nil)
      #expect(try await counting(signers, connection, test.schema) == [])
      await connection.close()
    }
  }

  @Test func `a key of one's own has 32 bytes and more, and is the one that signs`() async throws {
    try await TestSchema.with { test in
      await expectSQLState("22023") {
        try await test.sql("select rotate_claim_key(decode(repeat('ab', 31), 'hex'))")
      }
      let made = try await test.sql(
        "select key from rotate_claim_key(decode(repeat('ab', 32), 'hex'))")
      #expect(made == [String(repeating: "ab", count: 32)])
    }
  }
}
