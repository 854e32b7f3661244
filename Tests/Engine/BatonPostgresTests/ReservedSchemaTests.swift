import BatonPostgres
import Testing

/// Tests which names of schemas are accepted.
@Suite(.timeLimit(.minutes(5))) struct ReservedSchemaTests {
  @Test func `a name that the server accepts only in quotes is refused`() async throws {
    let keywords = Call.rows(
      Statement(
        "test/keywords", "select word, catcode in ('R', 'T') from pg_get_keywords()"),
      as: String.self, Bool.self)
    let words = try await withConnection { connection in try await connection.run(keywords) }
    #expect(words.count > 400)
    for (word, isReserved) in words {
      #expect((Schema(word) == nil) == isReserved, "\(word)")
      #expect(Schema("\(word)_jobs") != nil, "\(word)")
    }
  }
}
