import Baton
import BatonPostgres

/// The payload of a greeting.
///
/// The first release requires a name, and later releases a first name instead.
private func check(_ decoder: any Decoder) throws {
  let fields = try decoder.container(keyedBy: Field.self)
  _ = try fields.decode(String.self, forKey: Build.content > 1 ? .first : .name)
}

private enum Field: CodingKey { case name, first }

/// Greetings are retried twice after short waits.
private let retry = Retry.attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(1))

/// Records the key of each run, and the release that processed the run.
struct Greet: BatchJob {
  static let definition = Definition<Self>("greet", batch: 20, retry: retry)

  init(from decoder: any Decoder) throws { try check(decoder) }
  func encode(to encoder: any Encoder) throws {}

  static func run(_ batch: [Run<Self>], in transaction: Transaction) async throws {
    try await transaction.tally(batch.map(\.key))
  }
}

/// Returns the release that performed the run.
struct PostGreeting: EffectJob {
  static let definition = Definition<Self>(
    "post-greeting", concurrency: 20, retry: retry, keepsHistory: true)

  struct Output: Codable, Sendable { let release: Int }

  init(from decoder: any Decoder) throws { try check(decoder) }
  func encode(to encoder: any Encoder) throws {}

  static func perform(_ run: Run<Self>, in context: NoContext) async throws -> Output {
    Output(release: Build.release)
  }
}

/// An effect without a client.
struct NoContext: Sendable {}
