import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests the commands in the example's README and docs/guides/your-own.md without changes.
@Suite(.timeLimit(.minutes(5))) struct ExamplePageTests {
  /// Returns the lines of a page's first block of commands that contains a text, without their
  /// comments.
  private func commands(_ page: String, with text: String) throws -> [String] {
    let blocks = try ExampleProgram.text(page).components(separatedBy: "```sh\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    let block = try #require(blocks.first { $0.contains(text) })
    return block.split(separator: "\n").map { line in
      String(line.prefix(upTo: line.firstRange(of: "  #")?.lowerBound ?? line.endIndex))
        .trimmingCharacters(in: .whitespaces)
    }
  }

  @Test(.sampled()) func `the README's commands work in their order, from no server to none`()
    async throws
  {
    let lines = try commands("Examples/orders/README.md", with: "orders db up")
    #expect(lines.contains("swift build") && lines.contains("swift test"))
    #expect(lines.last == "orders db down")
    let output = try await self.output(of: lines)
    for said in [
      "applied orders/0001_create_parcels", "1  tea  Street 1", "ms  1 parcel recalled\n",
      "agree", "stopped",
    ] {
      #expect(output.contains(said), "\(said): \(output)")
    }
  }

  @Test(.sampled()) func `the quick start of the README prints what it promises`() async throws {
    let lines = try commands("README.md", with: "orders db up").filter { !$0.isEmpty }
    #expect(lines.first?.hasSuffix("cd Examples/orders && swift build") == true)
    let output = try await self.output(
      of: lines.filter { !$0.hasPrefix("git ") } + ["orders db down"])
    #expect(output.contains("1  tea  Street 1"), "\(output)")
    #expect(output.contains("recall-product"), "\(output)")
  }

  /// Returns the output of a page's commands on a private server.
  ///
  /// `Tests/run` builds the example, and OrdersExampleTests run its tests. An alias is only for
  /// people.
  private func output(of lines: [String]) async throws -> String {
    let typed = lines.filter { !$0.hasPrefix("swift ") && !$0.hasPrefix("alias ") }
      .map { line in
        line == "export DATABASE_URL='...'"
          ? "export DATABASE_URL=\"$(orders db status | sed -n \"s/.*DATABASE_URL='\\(.*\\)'$/\\1/p\")\""
          : line
      }
    #expect(typed.contains { $0.contains("orders db status") })
    let folder = try TemporaryFolder()
    defer { PrivateServerOfFolder(folder).destroy() }
    let built = ExampleProgram.built.path(percentEncoded: false)
    let shell = BatonProgram(
      executable: try ExampleProgram.path("orders"),
      environment: ["PATH": "\(built):\(BatonProgram.inherited["PATH"] ?? "/usr/bin:/bin")"],
      folder: folder.path)
    let ended = try await shell.run(
      bash: (["set -euxo pipefail"] + typed).joined(separator: "\n"), [])
    #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
    return ended.output
  }

  @Test(.sampled())
  func `the commands that docs/guides/your-own.md names for production are there`()
    async throws
  {
    let page = try ExampleProgram.text("docs/guides/your-own.md")
    let section = try #require(page.components(separatedBy: "## In production").last)
    let commands = section.matches(of: /`orders ([^`]+)`/).map { String($0.output.1) }
    let call = try #require(section.firstMatch(of: /`(select orders\.[^`]+)`/)).output.1
    #expect(commands.count >= 8)
    try await TestSchema.with { test in
      let orders = BatonProgram(
        executable: try ExampleProgram.path("orders"),
        environment: ["DATABASE_URL": test.configuration.address])
      for command in commands where command != "worker" {
        try await orders.succeed(command.split(separator: " ").map(String.init))
      }
      _ = try await test.sql(String(call))
      try await orders.succeed("worker", "--until-idle")
      let history = try await orders.succeed("runs", "history", "recall-product")
      #expect(history.contains("tea"))
    }
  }

  /// A package that depends on Baton builds only what its library needs, and fetches no other
  /// packages.
  @Test func `nothing is built or fetched for it that the library does not need`() throws {
    let manager = FileManager.default
    let built = ExampleProgram.built
    let modules = try manager.contentsOfDirectory(atPath: built.path())
      .filter { $0.hasSuffix(".build") && !$0.hasSuffix("-tool.build") }
      .filter { folder in
        let files = manager.enumerator(atPath: built.appending(path: folder).path())
        return files?.contains { ($0 as? String)?.hasSuffix(".o") == true } == true
      }
      .map { String($0.dropLast(".build".count)) }
      .filter { name in !["orders", "shop"].contains { name.lowercased().hasPrefix($0) } }
    #expect(
      Set(modules).isSubset(of: [
        "Baton", "BatonTemplate", "Bench", "BenchSQL", "BatonJobs", "JobRunner", "JobTesting",
        "BatonPostgres",
        "CivilTime", "PrivateServer", "RunnerSQL", "ArgumentParser", "ArgumentParserToolInfo",
        "Logging",
        "UnixSignals", "ConcurrencyHelpers", "CoreMetrics", "Tracing", "Instrumentation",
        "ServiceContextModule",
      ]), "\(modules.sorted()); built before a change of Package.swift? remove .build/examples")
    #expect(modules.contains("Baton"))

    struct State: Decodable {
      struct Object: Decodable { let dependencies: [Dependency] }
      struct Dependency: Decodable { let packageRef: Package }
      struct Package: Decodable { let identity, kind: String }
      let object: Object
    }
    let state = try JSONDecoder().decode(
      State.self,
      from: Data(contentsOf: built.appending(path: "../workspace-state.json").standardized))
    let fetched = state.object.dependencies.map(\.packageRef).filter { $0.kind != "fileSystem" }
      .map(\.identity)
    #expect(
      fetched.sorted() == [
        "swift-argument-parser", "swift-async-algorithms", "swift-collections",
        "swift-distributed-tracing", "swift-log", "swift-metrics", "swift-service-lifecycle",
      ])
  }
}
