import BatonJobs
package import BatonPostgres
import RunnerSQL

/// A program, its release, and a fingerprint of its definitions.
///
/// docs/internals/deploys.md describes how releases decide which program writes definitions.
package struct ProgramRelease: Sendable, Equatable {
  /// The program's name.
  package let program: String
  /// The program's release.
  package let number: Int
  /// A hash of the program's job definitions.
  ///
  /// The fingerprint is nil if the caller writes only some of the program's definitions.
  package let fingerprint: String?

  /// Creates a program's release with all of its jobs.
  package init(program: String, number: Int, jobs: [RegisteredJob]) {
    self.init(program: program, number: number, fingerprint: Self.fingerprint(of: jobs))
  }

  private init(program: String, number: Int, fingerprint: String?) {
    precondition(
      (0..<Int(Int32.max)).contains(number), "\(program): a release is 0 to \(Int32.max - 1)")
    (self.program, self.number, self.fingerprint) = (program, number, fingerprint)
  }

  /// Tries to make this release the program's current release.
  ///
  /// The call returns 1 if this release is current after the call, or 0 if another one remains
  /// current.
  ///
  /// The program's row stays locked until the transaction ends.
  var claim: Call<Int> { .count(SQL.Releases.claim, program, Int32(number), fingerprint) }

  /// The batch limit that marks runs that this release cannot decode.
  ///
  /// A worker of this release claims a run with this batch limit only while no worker of another
  /// release processes the job. A batch limit below -1 does not limit the batch size, but marks a
  /// run that a release cannot decode.
  var leftLimit: Int { -2 - number }

  /// The same release without a fingerprint, for a caller that writes only some of the program's
  /// definitions.
  package var ofSomeJobs: ProgramRelease {
    ProgramRelease(program: program, number: number, fingerprint: nil)
  }

  /// Returns a hash of the data that a program stores about its jobs.
  ///
  /// Equal hashes mean equal definitions.
  private static func fingerprint(of jobs: [RegisteredJob]) -> String {
    let texts = jobs.sorted { $0.definition.name < $1.definition.name }.map { job in
      let own = job.definition
      let schedules = own.schedules.map {
        "\($0.name ?? "") \($0.schedule.expression) \($0.schedule.timeZone ?? "") "
          + "\($0.schedule.missed.rawValue) \($0.payload ?? "")"
      }
      return [
        ([own.name] + own.aliases).joined(separator: " "), job.kind,
        own.topics.map(\.name).joined(separator: " "),
        own.tables.map(\.text).joined(separator: " "), "\(own.debounce)", "\(own.batch)",
        own.retry.isFunction
          ? "function" : "\(own.retry.attempts) \(own.retry.first) \(own.retry.longest)",
        "\(own.timeout)", "\(own.keepsHistory) \(own.needsKey) \(own.payloads)", "\(own.limits)",
        "\(own.priority) \(own.concurrency ?? 0) \(own.role ?? "")",
        schedules.joined(separator: "\n"),
      ].joined(separator: "\n")
    }
    return StableHash.digits(of: texts.joined(separator: "\n\n"))
  }
}

extension ProgramRelease: CustomStringConvertible {
  /// The release and the program, for messages.
  package var description: String { "release \(number) of \(program)" }
}

/// The stored release of a program: the release whose definitions the schema contains.
package struct CurrentRelease: Sendable, Equatable {
  /// The release that wrote the definitions.
  package let number: Int
  /// The highest release that was rolled back on request, or -1 if none was.
  package let rolledBack: Int
  /// The fingerprint of the stored definitions, or nil if it is unknown.
  package let fingerprint: String?

  /// Whether a program of this release may write its definitions.
  ///
  /// `sql/runner/releases/claim.sql` implements the same rule as this method.
  package func admits(_ release: Int) -> Bool {
    release == number || release > max(number, rolledBack)
  }

  static func read(_ program: String) -> Call<[CurrentRelease]> {
    .rows(SQL.Releases.read, program) { (row) throws(PostgresError) in
      let (number, rolledBack, fingerprint) = try row.decode(
        Int32.self, Int32.self, String?.self)
      return CurrentRelease(
        number: Int(number), rolledBack: Int(rolledBack), fingerprint: fingerprint)
    }
  }
}

extension Session {
  /// Returns the current release if it prevents this release from becoming current, or nil
  /// otherwise.
  ///
  /// - Throws: `PostgresError`.
  package func otherRelease(
    than own: ProgramRelease?
  ) async throws(PostgresError) -> CurrentRelease? {
    guard let own, try await atomically(Self.hasReleases(schema)) else { return nil }
    let current = try await atomically(CurrentRelease.read(own.program)).first
    return current.flatMap { $0.admits(own.number) ? nil : $0 }
  }
}

extension Session {
  /// Returns the fingerprints of running processes of this release, and the number of registered
  /// workers for each one.
  ///
  /// The fingerprint of the stored definitions is always included, even if no worker has it.
  ///
  /// - Throws: `PostgresError`.
  package func fingerprints(
    of release: ProgramRelease
  ) async throws(PostgresError) -> [(fingerprint: String, workers: Int)] {
    let list = Call.rows(
      SQL.Releases.listEqual, release.program, Int32(release.number), as: String.self, Int64.self)
    return try await atomically(list).map { ($0.0, Int($0.1)) }
  }

  /// Whether a schema already records releases.
  static func hasReleases(_ schema: Schema) -> Call<Bool> {
    .row(SQL.Releases.hasReleases, schema.name, as: Bool.self)
  }
}

/// A hash that is the same in every process, unlike Swift's own hashes.
package enum StableHash {
  /// Returns the 64-bit FNV-1a hash of a string.
  package static func number(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// Returns the 64-bit FNV-1a hash of a string as 16 hexadecimal digits.
  static func digits(of text: String) -> String {
    let digits = String(number(of: text), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
