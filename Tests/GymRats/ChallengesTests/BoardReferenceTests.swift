import BatonPostgres
import TestSupport
import Testing

/// Tests that no entry exists without its board, as with a foreign key.
///
/// docs/internals/write-path.md contains the table.
@Suite(.serialized, .timeLimit(.minutes(5)), .bothWaysAtFullSize)
struct BoardReferenceTests {
  private let board = "challenge_id('g', '2024-06-03', 'check-ins')"
  private let nowhere = "'00000000-0000-8000-8000-000000000000'"

  /// Creates Ann in `g` with boards of the week of 3 June.
  ///
  /// One of the boards has no entry.
  private func withBoards(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("1", by: "ann", at: "2024-06-05 10:00")
      try await gym.run("delete from entry where challenge_id = \(board)")
      try await body(gym)
    }
  }

  private func insert(on board: String) -> String {
    """
    insert into entry (challenge_id, user_id, value, reached_at, joined_at, display_name, last_updated)
    values (\(board), 'ann', 1, now(), now(), 'Ann', now())
    """
  }

  /// Returns the SQLSTATE with which a statement is refused.
  private func refusal(
    of text: String, _ gym: Gym, on other: Connection? = nil
  ) async throws -> String {
    do {
      try await gym.run(text, on: other)
      return "not refused"
    } catch let error as PostgresError {
      return error.sqlState.code
    }
  }

  @Test func `an entry is neither written nor moved where there is no board`() async throws {
    try await withBoards { (gym: Gym) async throws -> Void in
      #expect(try await refusal(of: insert(on: nowhere), gym) == "23503")
      let move = "update entry set challenge_id = \(nowhere)"
      #expect(try await refusal(of: move, gym) == "23503")
      #expect(try await gym.lines("select count(*)::text from entry") == ["1"])
    }
  }

  @Test func `a board with an entry is not removed, and no board is renamed`() async throws {
    try await withBoards { gym in
      #expect(try await refusal(of: "delete from challenge", gym) == "23503")
      let rename = "update challenge set id = \(nowhere) where id = \(board)"
      #expect(try await refusal(of: rename, gym) == "23503")
      try await gym.withConnection { other in
        let older = try await OpenTransaction(other, in: gym, level: "repeatable read")
        let error = await #expect(throws: PostgresError.self) {
          try await older.run(.test("delete from challenge where id = \(board)"))
        }
        #expect(error?.sqlState.code == "25001")
      }
      #expect(try await gym.lines("select count(*)::text from challenge") == ["2"])
      try await gym.run("delete from challenge where id = \(board)")
      #expect(try await gym.lines("select type::text from challenge") == ["streak"])
    }
  }

  @Test func `a removal waits for whoever writes an entry, and is refused`() async throws {
    try await withBoards { gym in
      try await gym.withConnection { other in
        let writer = try await OpenTransaction(other, in: gym)
        try await writer.run(.test(insert(on: board)))
        async let removal = refusal(of: "delete from challenge where id = \(board)", gym)
        try await gym.waitUntilBlocked()
        try await writer.commit()
        #expect(try await removal == "23503")
      }
      #expect(try await gym.lines("select count(*)::text from entry") == ["2"])
    }
  }

  @Test func `a writer waits for whoever removes the board, and is refused`() async throws {
    try await withBoards { gym in
      try await gym.withConnection { other in
        let remover = try await OpenTransaction(other, in: gym)
        try await remover.run(.test("delete from challenge where id = \(board)"))
        async let write = refusal(of: insert(on: board), gym)
        try await gym.waitUntilBlocked()
        try await remover.commit()
        #expect(try await write == "23503")
      }
      #expect(try await gym.lines("select count(*)::text from entry") == ["1"])
    }
  }
}
