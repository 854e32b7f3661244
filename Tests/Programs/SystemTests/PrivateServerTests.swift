import Foundation
import PrivateServer
import Synchronization
import TestSupport
import Testing

/// Tests private servers.
///
/// Each test has its own server and takes about a second, mostly for initdb.
///
/// The tests run one at a time and on threads of their own, because they block their threads, and
/// Swift has one thread per core.
@Suite(.serialized, .timeLimit(.minutes(10)), .ownThreads)
struct PrivateServerTests {
  @Test(.sampled()) func `up makes a server that answers, and up again leaves it as it is`() throws
  {
    try withFolder { folder in
      let server = quickServer(folder)
      defer { try? server.destroy() }
      let first = try server.up()
      #expect(try query("select 'answer'", first) == "answer")
      #expect(try server.up() == first)
    }
  }

  @Test(.sampled()) func `status follows the server from absent to stopped`() throws {
    try withFolder { folder in
      let server = quickServer(folder)
      defer { try? server.destroy() }
      #expect(try server.status() == .absent)
      let running = try server.up()
      #expect(try server.status() == .running(running))
      try server.down()
      #expect(try server.status() == .stopped)
      try server.destroy()
      #expect(try server.status() == .absent)
    }
  }

  @Test func `down where nothing runs does nothing`() throws {
    try withFolder { folder in
      try quickServer(folder).down()
      #expect(!FileManager.default.fileExists(atPath: folder))
    }
  }

  @Test(.sampled()) func `what was committed is there after kill -9`() throws {
    try withFolder(in: TestPlaces.disk) { folder in
      let server = quickServer(folder)
      defer { try? server.destroy() }
      let first = try server.up()
      _ = try query("create table kept as select 7 as number", first)
      kill(first.processID, SIGKILL)
      try waitUntilGone(first.processID)
      let second = try server.up()
      #expect(second.processID != first.processID)
      #expect(try query("select number from kept", second) == "7")
    }
  }

  @Test(.sampled())
  func `a server starts although its pid file contains the id of another process`()
    throws
  {
    try withFolder { folder in
      let server = quickServer(folder)
      defer { try? server.destroy() }
      _ = try server.up()
      try server.down()
      let stale = "\(getpid())\n/data\n1\n5432\n/socket\n\n1 1\nready   \n"
      try stale.write(toFile: folder + "/data/postmaster.pid", atomically: false, encoding: .utf8)
      #expect(try server.status() == .stopped)
      #expect(try query("select 1", try server.up()) == "1")
    }
  }

  @Test(.sampled()) func `an initdb that was killed half way is begun anew`() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/data.new/base", withIntermediateDirectories: true)
      try "15".write(toFile: folder + "/data.new/PG_VERSION", atomically: false, encoding: .utf8)
      let server = quickServer(folder)
      defer { try? server.destroy() }
      #expect(try query("select 1", try server.up()) == "1")
      #expect(!FileManager.default.fileExists(atPath: folder + "/data.new"))
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "long \(String(repeating: "x", count: 120))", "comma,comma", "$HOME `id` \"it's\" \\ %2F",
    ])
  func `a folder of any name has a server that can be reached`(name: String) throws {
    try withFolder { folder in
      let server = quickServer(folder + "/" + name)
      defer { try? server.destroy() }
      let first = try server.up()
      #expect(try query("select 1", first) == "1")
      #expect(try server.up().connectionString == first.connectionString)
    }
  }

  @Test(.sampled()) func `a folder inside one that only its owner may enter does for root too`()
    throws
  {
    try withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      let server = quickServer(folder + "/inside")
      defer { try? server.destroy() }
      #expect(try query("select 1", try server.up()) == "1")
    }
  }

  @Test(.sampled()) func `callers at the same time share one server`() throws {
    try withFolder { folder in
      let server = quickServer(folder)
      defer { try? server.destroy() }
      let answers = Mutex<[Result<PrivateServer.Running, any Error>]>([])
      DispatchQueue.concurrentPerform(iterations: 6) { _ in
        let answer = Result { try server.up() }
        answers.withLock { $0.append(answer) }
      }
      let running = try answers.withLock { try $0.map { try $0.get() } }
      #expect(running.count == 6)
      #expect(Set(running.map(\.processID)).count == 1)
    }
  }

  @Test(.sampled()) func `destroy and up at the same time leave a whole server or none`()
    throws
  {
    try withFolder { folder in
      let server = quickServer(folder)
      defer { try? server.destroy() }
      let errors = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 6) { number in
        do {
          if number.isMultiple(of: 2) { _ = try server.up() } else { try server.destroy() }
        } catch {
          errors.withLock { $0.append("\(error)") }
        }
      }
      #expect(errors.withLock(\.self) == [])
      let answer = try query("select 1", try server.up())
      #expect(answer == "1")
    }
  }

  @Test(.sampled()) func `settings go over the defaults, and durability stays on`() throws {
    try withFolder(in: TestPlaces.disk) { folder in
      let settings = [
        (name: "timezone", value: "Asia/Kathmandu"), (name: "cluster_name", value: #"it's \ one"#),
      ]
      let server = PrivateServer(directory: folder, settings: settings)
      defer { try? server.destroy() }
      let running = try server.up()
      let shown = ["timezone", "cluster_name", "fsync", "synchronous_commit", "data_checksums"]
      let values = try shown.map { try query("show \($0)", running) }
      #expect(values == ["Asia/Kathmandu", #"it's \ one"#, "on", "on", "on"])
    }
  }

  @Test(.sampled()) func `a setting that does not exist fails with the server's own words`() throws
  {
    try withFolder { folder in
      let server = PrivateServer(directory: folder, settings: [(name: "no_such", value: "1")])
      defer { try? server.destroy() }
      let error = #expect(throws: PrivateServerError.self) { try server.up() }
      #expect(error?.what.contains("unrecognized configuration parameter \"no_such\"") == true)
      #expect(error?.where.contains(folder) == true)
      let status = try server.status()
      #expect(status == .stopped)
    }
  }

  @Test(.sampled()) func `data of a version that is not installed are left alone`() throws {
    try withFolder { folder in
      let server = quickServer(folder)
      defer { try? server.destroy() }
      _ = try server.up()
      try server.down()
      try "9".write(toFile: folder + "/data/PG_VERSION", atomically: false, encoding: .utf8)
      let error = #expect(throws: PrivateServerError.self) { try server.up() }
      #expect(error?.what == "The data were made by PostgreSQL 9, which is not installed.")
    }
  }

  @Test(.sampled()) func `a password is asked for on the loopback port only`() throws {
    try withFolder { folder in
      let port = try Listener.unusedPort()
      let server = quickServer(folder, loopbackPort: port)
      defer { try? server.destroy() }
      let running = try server.up()
      #expect(try query("alter role postgres password 'right'", running) == "ALTER ROLE")
      let address = "postgresql://postgres:WORD@127.0.0.1:\(port)/postgres"
      let right = try psql("select 1", address.replacing("WORD", with: "right"))
      #expect(right.output == "1")
      let wrong = try psql("select 1", address.replacing("WORD", with: "wrong"))
      #expect(wrong.status != 0)
    }
  }

  @Test(.sampled())
  func `the server keeps nothing of the caller's open and has a process group of its own`()
    throws
  {
    try withFolder { folder in
      let ends = Pipe()
      let inherited = fcntl(ends.fileHandleForWriting.fileDescriptor, F_SETFD, 0)
      try #require(inherited == 0)
      let server = quickServer(folder)
      defer { try? server.destroy() }
      let running = try server.up()
      try ends.fileHandleForWriting.close()
      var reading = pollfd(
        fd: ends.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      // The pipe is closed, because no process has its writing end.
      #expect(poll(&reading, 1, 0) == 1 && reading.revents & Int16(POLLHUP) != 0)
      #expect(getpgid(running.processID) != getpgrp())
    }
  }

  @Test(.sampled()) func `destroy leaves what is not the server's`() throws {
    try withFolder { folder in
      let server = quickServer(folder)
      _ = try server.up()
      try "mine".write(toFile: folder + "/notes", atomically: false, encoding: .utf8)
      try server.destroy()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes"])
    }
  }
}

/// Passes the path of a folder that does not exist yet, and removes the folder afterwards.
private func withFolder(
  in place: String = TestPlaces.quick, _ body: (String) throws -> Void
) throws {
  let folder = "\(place)/baton-test-\(UUID().uuidString)"
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try body(folder)
}

/// Returns a server that does not wait for the disk, because other tests use the disk heavily.
private func quickServer(_ folder: String, loopbackPort: Int? = nil) -> PrivateServer {
  PrivateServer(directory: folder, settings: [("fsync", "off")], loopbackPort: loopbackPort)
}

private func query(_ text: String, _ server: PrivateServer.Running) throws -> String {
  let answer = try psql(text, server.connectionString)
  try #require(answer.status == 0, "\(answer.output)")
  return answer.output
}

private func psql(_ text: String, _ address: String) throws -> (status: Int32, output: String) {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["psql", "--no-psqlrc", "--no-password", "-Atc", text, address]
  process.standardOutput = output
  process.standardError = output
  try process.run()
  let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  let words = String(decoding: bytes, as: UTF8.self)
  return (process.terminationStatus, words.trimmingCharacters(in: .whitespacesAndNewlines))
}

private func waitUntilGone(_ process: Int32) throws {
  let end = ContinuousClock.now + .seconds(10)
  while kill(process, 0) == 0 {
    try #require(ContinuousClock.now < end, "process \(process) does not end")
    usleep(1_000)
  }
}
