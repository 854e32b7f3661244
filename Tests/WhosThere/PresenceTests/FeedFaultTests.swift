import BatonLive
import BatonPostgres
import JobTesting
import Presence
import PresencePostgres
import Synchronization
import TestSupport
import Testing

/// Tests for each live feed that an error in one group affects only the observers of this group.
@Suite(.timeLimit(.minutes(5))) struct FeedFaultTests {
  /// The elements of a stream.
  private final class Seen<Value: Sendable>: Sendable {
    private let state = Mutex((elements: [Result<Value, AppError>](), isEnded: false))

    var last: Value? { state.withLock { try? $0.elements.last?.get() } }
    var failures: Int { state.withLock { $0.elements.count { (try? $0.get()) == nil } } }
    var isEnded: Bool { state.withLock(\.isEnded) }

    /// Reads a stream to its end.
    func read(_ stream: AsyncStream<Result<Value, AppError>>) -> Task<Void, Never> {
      Task {
        for await element in stream { state.withLock { $0.elements.append(element) } }
        state.withLock { $0.isEnded = true }
      }
    }
  }

  /// A fault: a feed's function that fails for the group `bad`.
  struct Fault: Sendable, CustomTestStringConvertible {
    /// The function's name and parameters.
    let function: String
    let parameters: String
    /// The columns of the result.
    let columns: String
    /// The statements that the function executes if `bad` is among the groups.
    let body: String
    /// Whether the streams of the group end.
    ///
    /// A call that takes too long is repeated.
    var isPermanent: Bool { !body.contains("pg_sleep") }
    var testDescription: String { "\(function): \(body.prefix(40))" }

    /// The statements that replace the function.
    var statements: [String] {
      let names = parameters.split(separator: ",").compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
      return [
        "alter function \(function) rename to kept_function",
        """
        create function \(function)(\(parameters)) returns table (\(columns)) language plpgsql as $$
        begin
          if 'bad' = any (of_groups) then
            \(body);
            return;
          end if;
          return query select * from kept_function(\(names.joined(separator: ", ")));
        end $$
        """,
      ]
    }

    private static func all(
      _ function: String, _ parameters: String, _ columns: String, large: String, unknown: String
    ) -> [Fault] {
      let bodies = [
        "raise exception 'of the test' using errcode = '22012'", "perform pg_sleep(3600)",
        "return query select \(large)", "return query select \(unknown)",
      ]
      return bodies.map {
        Fault(function: function, parameters: parameters, columns: columns, body: $0)
      }
    }

    static let chats =
      all(
        "observed_chats", "of_groups text[], page integer",
        "number bigint, version bigint, message message_answer",
        large: """
          1::bigint, 1::bigint,
            row(gen_random_uuid(), 'bad', null, repeat('x', 3000000), now(), false)::message_answer
          """,
        unknown: "99::bigint, 1::bigint, null::message_answer")
      + all(
        "changed_chats", "of_groups text[], versions bigint[]", "number bigint",
        large: "n from generate_series(1::bigint, 100000) n", unknown: "0::bigint")

    static let places =
      all(
        "observed_presences", "of_groups text[], viewers text[], viewer_groups text[]",
        """
        number bigint, version bigint, local_date date, place jsonb, viewer bigint,
          is_present boolean, source text, since timestamptz, deadline timestamptz,
          own_version bigint, changed_at timestamptz
        """,
        large: place("1", "jsonb_build_object('x', repeat('x', 3000000))"),
        unknown: place("99", "'{}'::jsonb"))
      + all(
        "changed_places", "of_groups text[], versions bigint[], dates text[]", "number bigint",
        large: "n from generate_series(1::bigint, 100000) n", unknown: "0::bigint")

    private static func place(_ number: String, _ json: String) -> String {
      """
      \(number)::bigint, 1::bigint, current_date, \(json), null::bigint, null::boolean, null::text,
        null::timestamptz, null::timestamptz, null::bigint, null::timestamptz
      """
    }
  }

  private func with(
    _ fault: Fault, _ body: (Places, PresenceDatabase) async throws -> Void
  ) async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann")
      for group in ["bad", "g"] { try await places.found(group, by: "ann") }
      for statement in fault.statements { try await places.sql(statement) }
      var live = LiveOptions()
      (live.poll, live.check) = (.milliseconds(20), .milliseconds(80))
      (live.timeout, live.maximumResultSize) = (.milliseconds(200), 1 << 20)
      let database = PresenceDatabase(
        places.test.configuration, schema: places.test.schema, live: live)
      try await body(places, database)
      await database.close()
    }
  }

  private func expectFailure<Value>(of seen: Seen<Value>, _ fault: Fault) async throws {
    try await eventually("the failure") { seen.failures > 0 }
    if fault.isPermanent { try await eventually("the end") { seen.isEnded } }
    #expect(seen.last == nil && seen.isEnded == fault.isPermanent)
  }

  @Test(.sampled(), arguments: Randomness.sample(3, of: Fault.chats))
  func `a chat that cannot be read affects only its own members`(fault: Fault) async throws {
    try await with(fault) { places, database in
      let (bad, good) = (Seen<[Message]>(), Seen<[Message]>())
      let place = Seen<PresenceSnapshot>()
      let reading = [
        bad.read(database.chat(for: "ann").observeMessages(of: "bad")),
        good.read(database.chat(for: "ann").observeMessages(of: "g")),
        place.read(database.presences(for: "ann").observe("bad")),
      ]
      try await eventually("the other chat") { good.last?.isEmpty == true }
      try await expectFailure(of: bad, fault)
      _ = try await database.chat(for: "ann").send(MessageDraft(groupId: "g", text: "Hello"))
      try await eventually("the message") { good.last?.count == 1 }
      try await eventually("the other feed") { place.last?.presences.isEmpty == true }
      #expect(!good.isEnded && !place.isEnded)
      for task in reading { task.cancel() }
    }
  }

  @Test(.sampled(), arguments: Randomness.sample(3, of: Fault.places))
  func `a place that cannot be read affects only its own members`(fault: Fault) async throws {
    try await with(fault) { places, database in
      let (bad, good) = (Seen<PresenceSnapshot>(), Seen<PresenceSnapshot>())
      let chat = Seen<[Message]>()
      let reading = [
        bad.read(database.presences(for: "ann").observe("bad")),
        good.read(database.presences(for: "ann").observe("g")),
        chat.read(database.chat(for: "ann").observeMessages(of: "bad")),
      ]
      try await eventually("the other place") { good.last?.presences.isEmpty == true }
      try await expectFailure(of: bad, fault)
      #expect(try await places.outcome(Places.checkIn("ann", 1)) == "accepted t 1")
      #expect(try await places.test.drain() == 0)
      try await eventually("the presence") { good.last?.presences.count == 1 }
      try await eventually("the other feed") { chat.last?.isEmpty == true }
      #expect(!good.isEnded && !chat.isEnded)
      for task in reading { task.cancel() }
    }
  }
}
