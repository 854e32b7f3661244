extension TestSchema {
  /// Makes statements on a table take a given time, so that a test can act while a statement runs.
  package func slowDown(_ when: String, _ table: String, seconds: Double) async throws {
    try await sql(
      """
      create or replace function slow_down_\(table)() returns trigger language plpgsql as $$
      begin perform pg_sleep(\(seconds)); return null; end $$
      """)
    try await sql(
      """
      create trigger slow_down \(when) on \(table)
      for each statement execute function slow_down_\(table)()
      """)
  }
}
