import BatonJobs
import Testing

@Suite struct RowPurgeTests {
  /// Steps until no rows remain, and returns each call of the closure as `kind position`.
  private func asked(_ rows: [String: [Int64]], limit: Int) async throws -> [String] {
    var rows = rows
    var asked: [String] = []
    var purge = RowPurge(["a", "b", "c"])
    while try await purge.step({ kind, position in
      asked.append("\(kind) \(position.map { "\($0)" } ?? "-")")
      let gone = (rows[kind] ?? []).filter { $0 >= position ?? 0 }.prefix(limit)
      rows[kind]?.removeAll { gone.contains($0) }
      return (gone.count, gone.last)
    }) != nil {}
    let left = rows.values.reduce(0) { $0 + $1.count }
    #expect(left == 0)
    return asked
  }

  @Test func `a piece begins where the one before it ended, and each kind begins at its oldest`()
    async throws
  {
    #expect(
      try await asked(["a": [1, 2, 3], "c": [1, 9]], limit: 2)
        == ["a -", "a 2", "a 3", "b -", "c -", "c 9"])
  }

  @Test func `rows that stay are passed, and end their kind where it gets no further`() async throws
  {
    var asked: [String] = []
    var purge = RowPurge(["a", "b"])
    while try await purge.step({ kind, position in
      asked.append("\(kind) \(position.map { "\($0)" } ?? "-")")
      // The step reads two rows at a time, and can delete neither of them.
      let read = [Int64(1), 2, 3].filter { $0 >= position ?? 0 }.prefix(2)
      return (0, kind == "a" ? read.last : nil)
    }) != nil {}
    #expect(asked == ["a -", "a 2", "a 3", "b -"])
  }

  @Test func `a purge without rows asks once for each kind`() async throws {
    #expect(try await asked([:], limit: 2) == ["a -", "b -", "c -"])
  }

  @Test func `an error leaves the position where it was`() async throws {
    struct Lost: Error {}
    var purge = RowPurge(["a"])
    _ = try await purge.step { _, _ in (1, 7) }
    await #expect(throws: Lost.self) { try await purge.step { _, _ in throw Lost() } }
    var last: Int64?
    _ = try await purge.step { _, position in
      last = position
      return (0, nil)
    }
    #expect(last == 7)
  }
}
