import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import BatonJobs

/// Compares the SQL function `next_occurrence` with the computation in Swift.
@Suite(.timeLimit(.minutes(2))) struct NextOccurrenceTests {
  private static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
    "America/Sao_Paulo", "Pacific/Apia", "America/Havana",
  ]

  /// The first and the last instant after which occurrences are computed: 1970 and 2037.
  private static let days = 0...24_800

  /// A random schedule, and an instant near a clock change or at any time.
  private struct Case {
    let expression: String
    let zone: String?
    let instant: Int64

    init(_ random: Randomness) {
      instant =
        Int64(random.number(in: NextOccurrenceTests.days)) * 86_400
        + Int64(random.number(in: 0...86_399))
      guard random.number(in: 0...9) > 0 else {
        expression = "every \(random.number(in: 1...200_000)) s"
        zone = nil
        return
      }
      zone = NextOccurrenceTests.zones[random.number(in: 0...NextOccurrenceTests.zones.count - 1)]
      let nightly = random.number(in: 0...2) == 0
      expression = [
        Self.field(0...59, random),
        nightly ? "\(random.number(in: 0...3))" : Self.field(0...23, random),
        Self.field(1...31, random),
        random.number(in: 0...3) == 0 ? Self.field(1...12, random) : "*",
        Self.field(0...7, random),
      ].joined(separator: " ")
    }

    private static func field(_ range: ClosedRange<Int>, _ random: Randomness) -> String {
      switch random.number(in: 0...6) {
      case 0: return "\(random.number(in: range))"
      case 1: return "*/\(random.number(in: 1...range.upperBound))"
      case 2:
        let first = random.number(in: range)
        return "\(first)-\(random.number(in: first...range.upperBound))/\(random.number(in: 1...3))"
      case 3: return "\(random.number(in: range)),\(random.number(in: range))"
      default: return "*"
      }
    }
  }

  private static let compute = Statement(
    "test/next",
    """
    select coalesce(extract(epoch from next_occurrence(e, z, to_timestamp(a)))::bigint, -1)
    from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality u (e, z, a, n) order by n
    """)

  @Test func `SQL and Swift compute the same next occurrence of random schedules`() async throws {
    let random = Randomness()
    // An expression such as `0 0 31 4 *` has no occurrences, and is invalid.
    let cases: [(Case, Schedule)] = (0..<6_000).compactMap { _ in
      let one = Case(random)
      let schedule = try? Schedule.parse(
        stored: one.expression, timeZone: one.zone, missed: "once")
      return schedule.map { (one, $0) }
    }
    #expect(cases.count > 5_000)
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let found = try await connection.atomically(
        in: test.schema,
        .rows(
          Self.compute, cases.map(\.0.expression), cases.map(\.0.zone), cases.map(\.0.instant),
          as: Int64.self))
      var different: [String] = []
      for ((one, schedule), inSQL) in zip(cases, found) {
        let inSwift = schedule.next(after: one.instant) ?? -1
        guard inSQL != inSwift else { continue }
        different.append(
          "\(one.expression) \(one.zone ?? "") after \(one.instant): \(inSQL), Swift \(inSwift)")
      }
      #expect(different == [], "\(random)")
      await connection.close()
    }
  }
}
