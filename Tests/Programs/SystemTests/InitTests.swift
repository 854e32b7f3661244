import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests `baton init`.
///
/// `Tests/init-a-package` has built the created package.
@Suite(.timeLimit(.minutes(5))) struct InitTests {
  private static let built = ExampleProgram.initialized.appending(path: "built")
  private static let root = ExampleProgram.root.path(percentEncoded: false)

  /// Returns the files of a folder by their paths, without build products.
  private func files(in folder: URL) throws -> [String: String] {
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    var files: [String: String] = [:]
    for path in paths where !path.hasPrefix(".build") && path != "Package.resolved" {
      let url = folder.appending(path: path)
      guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
        continue
      }
      files[path] = try String(contentsOf: url, encoding: .utf8)
    }
    return files
  }

  private func everything(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  // MARK: What it makes

  @Test func `the package has its own name throughout, and all that the example has`() async throws
  {
    let folder = try TemporaryFolder()
    let said = try await BatonProgram(folder: folder.path).succeed(
      "init", "shop-floor", "--path", Self.root, "--without-http")
    #expect(said.hasPrefix("made shop-floor/") && said.contains("swift run shop-floor dev"))
    #expect(try everything(in: folder) == ["shop-floor"])
    let made = try files(in: URL(filePath: folder.path + "/shop-floor"))
    // The created files are those that are built and run below.
    let kept = try files(in: ExampleProgram.initialized.appending(path: "shop-floor"))
    #expect(made.count > 15 && made == kept)
    for (path, text) in made {
      #expect(!(path + text).lowercased().contains("orders"), "\(path)")
      // In a comment, the replaced word must be the name of the program, and not a word of the text.
      for comment in text.matches(of: /(?m)^ *(?:--|\/\/).*$/) {
        let prose = comment.output.replacing(/`[^`]*`/, with: "")
        #expect(!prose.contains("shop-floor"), "\(path): \(comment.output)")
      }
    }
    let example = try files(in: ExampleProgram.root.appending(path: "Examples/orders"))
    #expect(
      Set(made.keys) == Set(example.keys.map { $0.replacing("Orders", with: "ShopFloor") }))
    #expect(made[".gitignore"]?.contains(".baton/") == true)
    #expect(made["Dockerfile"]?.contains("--product shop-floor") == true)
    #expect(made["deploy/worker.service"]?.contains("/usr/local/bin/shop-floor worker") == true)
    #expect(made[".github/workflows/test.yml"]?.contains("swift test") == true)
    let program = try #require(made["Sources/ShopFloor/ShopFloor.swift"])
    #expect(program.contains("static let name = \"shop-floor\""))
    #expect(program.contains("static let parts = [SQL.shopFloor]"))
    #expect(made["README.md"]?.contains("insert into shop_floor.parcel") == true)
    for match in made["README.md"]?.matches(of: /\]\(([^)#:]+)/) ?? [] {
      let target = URL(filePath: folder.path + "/shop-floor").appending(path: String(match.1))
      let path = match.1.hasPrefix("/") ? String(match.1) : target.path(percentEncoded: false)
      #expect(FileManager.default.fileExists(atPath: path), "\(match.1)")
    }
  }

  @Test func `the package includes the HTTP server, unless an option omits the server`()
    async throws
  {
    let folder = try TemporaryFolder()
    let baton = BatonProgram(executable: try BatonProgram.path(of: "baton"), folder: folder.path)
    try await baton.succeed("init", "within", "--path", Self.root)
    try await baton.succeed("init", "without", "--path", Self.root, "--without-http")
    let with = try files(in: URL(filePath: folder.path + "/within"))
    let without = try files(in: URL(filePath: folder.path + "/without"))
    let server = "  static let http: (any HTTPFront)? = OperationsServer()\n  static let parts"
    let product = "        .product(name: \"BatonOperations\", package: \"baton\"),\n"
    #expect(with["Sources/Within/Within.swift"]?.contains(server) == true)
    #expect(with["Sources/Within/Within.swift"]?.contains("import BatonOperations\n") == true)
    #expect(with["Package.swift"]?.contains(product) == true)
    #expect(with["Package.swift"]?.contains("traits") == false)
    #expect(without["Sources/Without/Without.swift"]?.contains("OperationsServer") == false)
    #expect(without["Package.swift"]?.contains("BatonOperations") == false)
    #expect(without["Package.swift"]?.contains("\", traits: []),") == true)
    // The comment before the dependency is replaced together with it.
    for manifest in [with["Package.swift"], without["Package.swift"]] {
      #expect(manifest?.components(separatedBy: "`path` is the path").count == 2)
    }
  }

  @Test(.sampled()) func `it migrates, works, and passes its own tests`() async throws {
    try await TestSchema.with { test in
      let shop = BatonProgram(
        executable: try ExampleProgram.path("shop-floor", in: Self.built),
        environment: ["DATABASE_URL": test.configuration.address])
      let said = try await shop.succeed("migrate")
      #expect(said.contains("applied shopFloor/0001") && said.contains("schema shop_floor"))
      _ = try await test.sql(
        "insert into shop_floor.parcel (product, address) values ('tea', 'Street 1')")
      try await shop.succeed("worker", "--until-idle")
      #expect(try await shop.succeed("to-pack") == "1  tea  Street 1\n")
      #expect(try await shop.succeed("check").contains("agree"))
    }
    let ended = try await ExampleProgram.test("shop-floor", in: Self.built)
    let said = ended.output + ended.errors
    #expect(ended.status == 0 && said.contains("Test run with 8 tests"), "\(said)")
  }

  @Test func `docs/guides/your-own.md says how, and with which address`() async throws {
    let page = try ExampleProgram.text("docs/guides/your-own.md")
    let typed = try #require(page.firstMatch(of: /baton init shop --path baton\n/))
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/baton", withDestinationPath: Self.root)
    let baton = BatonProgram(
      executable: try BatonProgram.path(of: "baton"), folder: folder.path)
    try await baton.succeed(
      typed.output.split { $0 == " " || $0 == "\n" }.dropFirst().map(String.init))
    let byPath = try files(in: URL(filePath: folder.path + "/shop"))
    #expect(
      byPath["Package.swift"]?.contains(#".package(name: "baton", path: "../baton"),"#)
        == true)
    #expect(byPath["README.md"]?.contains("](../baton/docs/guides/your-own.md)") == true)

    let said = try await baton.succeed("init", "store")
    #expect(said.contains("host of your Baton"))
    let byAddress = try files(in: URL(filePath: folder.path + "/store"))
    let dependency = #".package(url: "https://HOST/baton", from: "0.1.0")"#
    #expect(page.contains(dependency))
    let manifest = try #require(byAddress["Package.swift"])
    #expect(manifest.contains(dependency) && !manifest.contains("path: \"../"))
    #expect(manifest.contains("// Replace HOST") && !manifest.contains("`path` is the path"))
    #expect(byAddress["README.md"]?.contains("](https://HOST/baton/blob/main/docs/") == true)
  }

  @Test func `a dry run lists the files and writes none`() async throws {
    let folder = try TemporaryFolder()
    let baton = BatonProgram(
      executable: try BatonProgram.path(of: "baton"), folder: folder.path)
    let listed = try await baton.succeed("init", "shop-floor", "--dry-run")
    #expect(try everything(in: folder) == [])
    try await baton.succeed("init", "shop-floor")
    let made = try files(in: URL(filePath: folder.path + "/shop-floor")).keys.sorted()
    #expect(listed.split(separator: "\n").sorted() == made.map { "shop-floor/\($0)" })
  }

  // MARK: What it refuses

  @Test(.sampled()) func `what is there stays as it is`() async throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: folder.path + "/empty", withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: URL(filePath: folder.path + "/file"))
    try manager.createSymbolicLink(
      atPath: folder.path + "/dangling", withDestinationPath: "nowhere")
    for name in ["empty", "file", "dangling"] {
      for arguments in [["init", name], ["init", name, "--dry-run"]] {
        expectComplaint(
          try await BatonProgram(folder: folder.path).start(arguments).wait(), status: 64,
          what: "'\(name)' already", place: folder.path, next: "another name")
      }
    }
    #expect(try everything(in: folder) == ["dangling", "empty", "file"])
    #expect(try manager.contentsOfDirectory(atPath: folder.path + "/empty") == [])
    #expect(try String(contentsOfFile: folder.path + "/file", encoding: .utf8) == "mine")
  }

  @Test(.sampled()) func `a name that cannot be one is refused`() async throws {
    let folder = try TemporaryFolder()
    let baton = BatonProgram(
      executable: try BatonProgram.path(of: "baton"), folder: folder.path)
    for name in [
      "", ".", "..", "a/b", "/tmp/a", "Shop", "shop_floor", "1st", "shop-", "a--b", "é", "a b",
      "public", "pg-shop", "information-schema", "order", String(repeating: "a", count: 51),
    ] {
      expectComplaint(
        try await baton.run("init", "--", name), status: 64, what: "cannot be the name",
        place: "NAME", next: "lower-case letters")
    }
    #expect(try everything(in: folder) == [])
  }

  /// A package whose modules or types have these names would not build.
  @Test(.sampled()) func `a name that something else has is refused`() async throws {
    let folder = try TemporaryFolder()
    let baton = BatonProgram(
      executable: try BatonProgram.path(of: "baton"), folder: folder.path)
    let manifest = try ExampleProgram.text("Package.swift")
    let targets = manifest.matches(
      of: /(?:module|program|statements|jobs|target|Target|Library|plugin)\(\s*(?:name: )?"(\w+)"/
    )
    .map { $0.output.1.lowercased() }.filter { !$0.hasSuffix("tests") }
    #expect(targets.count > 20 && targets.contains("gymrats") && targets.contains("clibpq"))
    for name in targets + [
      "runner", "string", "run", "parcels", "tell-warehouse", "int64", "class",
    ] {
      expectComplaint(
        try await baton.run("init", name), status: 64, what: "is already a name", place: "NAME",
        next: "\(name)-jobs")
    }
    #expect(try everything(in: folder) == [])
  }

  @Test func `a checkout that is none is refused`() async throws {
    let folder = try TemporaryFolder()
    let baton = BatonProgram(
      executable: try BatonProgram.path(of: "baton"), folder: folder.path)
    for path in ["", "nowhere", folder.path, Self.root + "/Examples/orders", "/dev/null"] {
      expectComplaint(
        try await baton.run("init", "shop", "--path", path), status: 66, what: "no checkout",
        place: "--path", next: "clone")
    }
    #expect(try everything(in: folder) == [])
  }

  @Test func `where nothing can be written, nothing of it is left`() async throws {
    expectComplaint(
      try await BatonProgram(folder: "/proc").run("init", "shop"), status: 74,
      what: "cannot be written", place: "/proc", next: "No file is left")
  }
}
