// The library for encryption is one of the packages of the trait HTTP.
#if HTTP
  import BatonJobs
  import BatonPostgres
  import Crypto
  import Foundation
  import JobTesting
  import Synchronization
  import TestSupport
  import Testing

  @testable import JobRunner

  /// Compiles and runs the payload type of docs/guides/encryption.md.
  @Suite struct DocumentedEncryptionTests {
    @Test func `a payload is stored encrypted, and the job gets its value`() async throws {
      let jobs = [RegisteredJob(ChargeCard.self) { _ in Cards() }]
      try await TestSchema.run(jobs) { test in
        let connection = try await test.connect()
        try await Session(connection, in: test.schema).transaction { transaction in
          let card = "4111"
          let request = try RunRequest(ChargeCard(card: Encrypted(card), cents: 950), key: "7")
          try await transaction.enqueue(request)
        }
        let broken = try RunRequest(ChargeCard(card: Encrypted("no-card"), cents: 1), key: "8")
        let id = try await Queue(Session(connection, in: test.schema)).enqueue(broken)
        let stored = try await test.sql("select payload::text from unfolded_event order by id")
        #expect(stored.count == 2 && stored.allSatisfy { $0.contains("cents") }, "\(stored)")
        #expect(!stored.joined().contains("4111"), "\(stored)")
        #expect(try await test.drain() == 1)
        #expect(Cards.charged.withLock { $0 } == ["4111 950"])
        let shown = try #require(
          try await Queue(Session(connection, in: test.schema)).run(id, isOnOneLine: true))
        #expect(shown.contains("\"card\"") && !shown.contains("no-card"), "\(shown)")
        await connection.close()
      }
    }

    @Test func `a payload with another key cannot be decoded`() throws {
      let json = try JSONEncoder().encode(Encrypted("4111"))
      let sealed = try JSONDecoder().decode(Data.self, from: json)
      let other = SymmetricKey(size: .bits256)
      #expect(throws: CryptoKitError.self) {
        try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: other)
      }
      #expect(try JSONDecoder().decode(Encrypted<String>.self, from: json).value == "4111")
    }
  }

  private enum PayloadKey {
    static let current = SymmetricKey(size: .bits256)
  }

  private struct Encrypted<Value: Codable & Sendable>: Codable, Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws {
      let sealed = try decoder.singleValueContainer().decode(Data.self)
      let json = try AES.GCM.open(
        AES.GCM.SealedBox(combined: sealed), using: PayloadKey.current)
      value = try JSONDecoder().decode(Value.self, from: json)
    }

    func encode(to encoder: any Encoder) throws {
      let json = try JSONEncoder().encode(value)
      let sealed = try AES.GCM.seal(json, using: PayloadKey.current)
      var container = encoder.singleValueContainer()
      try container.encode(sealed.combined)
    }
  }

  private struct ChargeCard: EffectJob {
    static let definition = Definition<Self>("charge-card")

    let card: Encrypted<String>
    let cents: Int

    static func perform(_ run: Run<Self>, in cards: Cards) async throws {
      try cards.charge(run.payload.card.value, cents: run.payload.cents)
    }
  }

  private struct Cards: Sendable {
    static let charged = Mutex<[String]>([])

    func charge(_ card: String, cents: Int) throws {
      guard card != "no-card" else { throw Permanent("this is not a card") }
      Self.charged.withLock { $0.append("\(card) \(cents)") }
    }
  }
#endif
