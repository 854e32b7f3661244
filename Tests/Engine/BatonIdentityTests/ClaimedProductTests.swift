import BatonIdentity
import BatonPostgres
import IdentitySQL
import JobRunner
import TestSupport
import Testing

/// A product with one table on top of the schema part `identity`.
///
/// The product has its own users and no other product's parts.
@Suite(.timeLimit(.minutes(5))) struct ClaimedProductTests {
  /// Notes that only their owners can read and write.
  private static let notes = SchemaPart(
    "notes", version: 1,
    migrations: [
      Statement(
        "migrations/0001_create_notes",
        "create table note (owner text not null, body text not null, primary key (owner, body))")
    ],
    objects: [
      SchemaObject(
        .function, "write_note",
        Statement(
          "functions/write_note",
          """
          create or replace function write_note(actor text, body text) returns void
          language plpgsql security definer set search_path from current as $$
          begin
            if not speaks_for(actor) then
              raise exception 'this transaction speaks for somebody else' using errcode = 'NOONE';
            end if;
            insert into note values (actor, body);
          end $$
          """))
    ],
    access: [
      Statement(
        "access/1_users",
        """
        grant insert on note to {definer};
        grant select on note to {user};
        grant execute on function write_note to {user}, {api};
        create policy own on note for select to {user} using (owner = (select current_actor()))
        """)
    ])

  private static let list = Call<[String]>.rows(
    Statement("test/list", "select body from note order by 1")
  ) { (row) throws(PostgresError) in try row.decode(String.self) }

  /// Writes a note in the name of a user, and returns `done` or the SQLSTATE.
  private func write(_ body: String, of owner: String, in session: Session) async -> String {
    let statement = Statement("test/write", "select write_note($1, $2)")
    do {
      try await session.atomically(.run(statement, owner, body))
      return "done"
    } catch {
      return error.sqlState.code
    }
  }

  @Test
  func `a claim is its user's, by policy and by call, and an unsigned one nobody's beside keys`()
    async throws
  {
    let schema = try #require(Schema(RoleServer.name("notes")))
    try await RoleServer.with(try await RoleServer.connect()) { superuser in
      let migrator = Migrator(schema, parts: [SQL.identity, Self.notes])
      _ = try await migrator.migrate(superuser)
      _ = try await migrator.createRoles(superuser)
      #expect(try await migrator.accessFaults(superuser).filter(\.isFault) == [])
    }
    let role = "\(schema)_user"
    try await RoleServer.with(try await RoleServer.connect(as: "\(schema)_api")) { server in
      #expect(await write("two", of: "ben", in: Session(server, in: schema)) == "done")
    }
    try await RoleServer.with(try await RoleServer.connect(as: "\(schema)_authenticator")) {
      login in
      let session = Session(login, in: schema)
      let ann = session.acting(as: .user("ann", role: role))
      #expect(await write("one", of: "ann", in: ann) == "done")
      #expect(await write("mine", of: "ben", in: ann) == "NOONE")
      #expect(try await ann.atomically(Self.list) == ["one"])
      #expect(try await session.acting(as: .nobody(role: role)).atomically(Self.list) == [])

      let key = try await RoleServer.with(try await RoleServer.connect()) { superuser in
        try await superuser.atomically(in: schema, Call<ClaimKey>.rotateKey)
      }
      #expect(try await ann.atomically(Self.list) == [])
      #expect(await write("three", of: "ann", in: ann) == "NOONE")
      let signer = try #require(IdentitySigner(keyID: key.id, key: key.text))
      for (user, body, other) in [("ann", "one", "ben"), ("ben", "two", "ann")] {
        let signed = session.acting(as: .user(user, role: role, signer: signer))
        #expect(try await signed.atomically(Self.list) == [body])
        #expect(await write("mine", of: other, in: signed) == "NOONE")
      }
    }
  }
}
