import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Runs the code about identities that docs/reference/roles.md shows and links, without changes.
@Suite(.timeLimit(.minutes(5))) struct IdentityPageTests {
  private static let page = "docs/reference/roles.md"

  /// Returns the block of a language after a heading.
  private func block(_ language: String, behind heading: String) throws -> String {
    let text = try ExampleProgram.text(Self.page)
    let section = try #require(text.components(separatedBy: "### \(heading)\n").last)
    let block = try #require(section.components(separatedBy: "```\(language)\n").dropFirst().first)
    return try #require(block.components(separatedBy: "```").first)
  }

  /// Calls the body with a schema with roles, a user Ann and a key in a file.
  private func with(
    _ body: (_ place: RolePlace, _ folder: TemporaryFolder, _ program: BatonProgram) async throws ->
      Void
  ) async throws {
    let place = try await RolePlace.make()
    try await place.rows(
      "insert into users (id, display_name) values ('ann', 'Ann A') returning id")
    // The owner creates the key, as the page says.
    let key = try await place.rows(
      "select key from set_config('role', '\(place.role("owner"))', true), rotate_claim_key()")
    let folder = try TemporaryFolder()
    _ = try folder.write("key.txt", lines: key)
    let program = BatonProgram(
      environment: [
        "DATABASE_URL": try RoleServer.address(of: place.role("authenticator")),
        "PATH": "/usr/bin:/bin",
      ], folder: folder.path)
    try await body(place, folder, program)
  }

  private func run(_ text: String, of place: RolePlace, _ program: BatonProgram) async throws
    -> (status: Int32, output: String)
  {
    let here = text.replacing("gymrats_user", with: place.role("user"))
      .replacing("gymrats.get_user", with: "\(place.schema).get_user")
      .replacing("psql -X", with: "psql -AtX \"$DATABASE_URL\"")
      .replacing("PQconnectdb(\"\")", with: "PQconnectdb(getenv(\"DATABASE_URL\"))")
    let ended = try await program.run(bash: "set -euo pipefail\n\(here)", [])
    return (ended.status, ended.output + ended.errors)
  }

  @Test func `psql with a claim acts as the claim's user, and not as another user`() async throws {
    try await with { place, _, program in
      let block = try block("sh", behind: "With psql")
      let good = try await run(block, of: place, program)
      #expect(good.status == 0 && good.output.contains("Ann A"), "\(good.output)")
      let other = try await run(
        block.replacing("key.txt 1 ann", with: "key.txt 1 ben"), of: place, program)
      #expect(other.status != 0 && other.output.contains("does not speak for user 'ann'"))
    }
  }

  @Test func `the program over libpq does what psql does`() async throws {
    try await with { place, folder, program in
      let source = try ExampleProgram.text("docs/reference/identity.c")
      let claim = try block("sh", behind: "With psql").components(separatedBy: "CLAIM=")[0]
      _ = try folder.write(
        "claim.c",
        lines: source.components(separatedBy: "\n").map {
          $0.replacing("gymrats_user", with: place.role("user"))
            .replacing("gymrats.get_user", with: "\(place.schema).get_user")
            .replacing("PQconnectdb(\"\")", with: "PQconnectdb(getenv(\"DATABASE_URL\"))")
        })
      let good = try await run(
        """
        cc -Wall -Werror $(pkg-config --cflags libpq) -o claim claim.c $(pkg-config --libs libpq)
        \(claim)
        CLAIM="$(claim key.txt 1 ann)" ./claim
        """, of: place, program)
      #expect(good.status == 0 && good.output.contains("Ann A"), "\(good.output)")
      let none = try await run("CLAIM= ./claim", of: place, program)
      #expect(none.status == 1 && none.output.contains("does not speak for user"), "\(none.output)")
    }
  }

  @Test func `the Swift of the page is that of its test`() throws {
    let swift = try block("swift", behind: "In Swift")
    let test = try ExampleProgram.text("Tests/GymRats/ChallengesTests/ClaimedDatabaseTests.swift")
    let lines = test.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : String($0) }
    #expect(lines.joined(separator: "\n").contains(swift))
  }
}
