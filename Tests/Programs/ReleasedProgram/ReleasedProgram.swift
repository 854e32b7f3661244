import Baton
import BatonPostgres
import Foundation

#if HTTP
  import BatonOperations
#endif

/// A program whose environment variables determine its release, so that tests do not need two
/// builds.
@main struct ReleasedProgram: Application {
  static let name = "released"
  static let abstract = "Tallies items."
  static let release = Build.release
  static let jobs: [RegisteredJob] = {
    Build.pause()
    let tally = [RegisteredJob(TallyItems.self) { $0 }]
    guard Build.greets else { return tally }
    return tally
      + [RegisteredJob(Greet.self) { $0 }, RegisteredJob(PostGreeting.self) { _ in NoContext() }]
  }()
  static let parts = [Build.part]

  #if HTTP
    static let http: (any HTTPFront)? = OperationsServer()
  #endif
}

/// The differences between the releases.
enum Build {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  static let release = number("RELEASED_RELEASE") ?? 0
  /// The release whose definitions and SQL the program contains.
  ///
  /// It differs for a build whose author forgot to raise the release.
  static let content = number("RELEASED_CONTENT") ?? release
  /// Whether the program has the jobs whose payloads differ between the releases.
  static let greets = number("RELEASED_GREETS") == 1
  /// Waits before the program has its jobs, for a test that sends a signal at this moment.
  static func pause() {
    guard let seconds = number("RELEASED_PAUSE") else { return }
    FileHandle.standardError.write(Data("creating jobs\n".utf8))
    sleep(UInt32(seconds))
  }

  /// The name of the job of release 2, followed by its earlier names.
  static let names =
    ProcessInfo.processInfo.environment["RELEASED_NAMES"]?.split(separator: ",").map(String.init)
    ?? ["tally-items"]
  /// The number of migrations of a release.
  ///
  /// Programs without the third migration are not compatible.
  static let migrations = number("RELEASED_MIGRATIONS") ?? min(content, 2)

  static let part = SchemaPart(
    "released", version: content,
    migrations: Array(
      [
        Statement(
          "migrations/0001_create_items",
          """
          create table item (id bigint generated always as identity primary key, key text not null);
          create table tally (key text not null, release integer not null, process integer not null)
          """),
        Statement(
          "migrations/0002_add_notes",
          "create table note (id bigint primary key); alter table item add column note text"),
        Statement(
          "migrations/0003_count_items", "alter table item add column n int not null default 1"),
      ].prefix(max(migrations, 1))),
    objects: [
      SchemaObject(
        .function, "item_release",
        Statement(
          "functions/item_release",
          "create or replace function item_release() returns integer language sql return \(content)"
        )
      ),
      SchemaObject(
        .view, "item_keys",
        Statement(
          "views/item_keys",
          "create or replace view item_keys with (security_invoker = true) as select key"
            + "\(content > 1 ? ", note" : "") from item")),
    ])
}

extension Transaction {
  /// Records keys, and the release that processed them.
  func tally(_ keys: [String]) async throws {
    let process = Int32(ProcessInfo.processInfo.processIdentifier)
    try await run(
      .run(
        Statement(
          "test/tally",
          "insert into tally (key, release, process) select k, $2::integer, $3::integer from unnest($1::text[]) k"
        ),
        keys, Int32(Build.release), process))
  }
}

/// Records the key of each run, and the release that processed the run.
struct TallyItems: BatchJob {
  static let definition =
    Build.content > 1
    ? Definition<Self>(
      Build.names[0], formerly: Array(Build.names.dropFirst()),
      on: [.table("item", on: .insert, .update(of: "note"), key: "key"), .cron("0 4 * * *")],
      debounce: debounce, batch: 5, retry: retry, limits: [.concurrency(5)])
    : Definition<Self>(
      "tally-items", on: [.table("item", on: .insert, key: "key"), .cron("0 3 * * *")],
      debounce: debounce, batch: 10, retry: retry)

  private static let retry = Retry.attempts(
    2, exponentialFrom: .milliseconds(1), to: .milliseconds(1))
  private static let debounce = Debounce.perKey(
    quiet: .milliseconds(20), atMost: .milliseconds(200))

  static func run(_ batch: [Run<Self>], in transaction: Transaction) async throws {
    try await transaction.tally(batch.map(\.key))
    if batch.contains(where: { $0.key.hasPrefix("bad") }) { throw Failure() }
    // Only the newer release hangs, so that the older release can take over.
    if Build.release > 1, batch.contains(where: { $0.key.hasPrefix("hang") }) {
      try await Task.sleep(for: .seconds(600))
    }
  }

  private struct Failure: Error {}
}
