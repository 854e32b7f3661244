import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests that the public interface of the engine changes only on purpose.
///
/// Each module has a digest in `Tests/Golden/interface`.
///
/// After such a change, run `BATON_GOLDEN=write Tests/run --filter PublicInterfaceTests`.
@Suite(.ownThreads) struct PublicInterfaceTests {
  /// The modules that authors of jobs and programs import.
  private static let frontDoor = ["BatonJobs", "Baton", "JobRunner", "JobTesting"]
  private static let others = [
    "BatonPostgres", "BatonLive", "BatonIdentity", "BatonOperations",
  ]

  private static func golden(_ module: String) -> URL {
    Checkout.root.appending(path: "Tests/Golden/interface/\(module).txt")
  }

  @Test(arguments: frontDoor + others)
  func `the public interface is that of its digest`(module: String) async throws {
    let symbols = try await SymbolGraph.of(module)
    let text = symbols.map(\.line).sorted().joined(separator: "\n") + "\n"
    let file = Self.golden(module)
    guard ProcessInfo.processInfo.environment["BATON_GOLDEN"] != "write" else {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      return try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let old = Set(try String(contentsOf: file, encoding: .utf8).split(separator: "\n"))
    let new = Set(text.split(separator: "\n"))
    #expect(new.subtracting(old).sorted() == [], "new in \(module)")
    #expect(old.subtracting(new).sorted() == [], "gone from \(module)")
  }

  @Test func `the front door has at most 60 types, no global function and no generic name`()
    async throws
  {
    var symbols: [SymbolGraph.Symbol] = []
    for module in Self.frontDoor { symbols += try await SymbolGraph.of(module) }
    let types = symbols.filter(\.isType).map(\.path)
    #expect(types.count > 30)
    #expect(types.count <= 60, "\(types.count): \(types)")
    #expect(symbols.filter { $0.kind == "func" }.map(\.path) == [])
    let generic: Set = ["Channel", "Row", "Call", "Index", "Table", "Rate", "Output"]
    #expect(symbols.filter { $0.isType && generic.contains($0.path) }.map(\.path) == [])
  }
}

/// The public symbols of a built module.
private struct SymbolGraph: Decodable {
  struct Symbol: Decodable, Sendable {
    struct Kind: Decodable, Sendable { let identifier: String }
    struct Fragment: Decodable, Sendable { let spelling: String }

    private enum CodingKeys: String, CodingKey {
      case kindOfSymbol = "kind", components = "pathComponents", fragments = "declarationFragments"
    }

    private let kindOfSymbol: Kind
    private let components: [String]
    private let fragments: [Fragment]

    var kind: String { kindOfSymbol.identifier.replacing("swift.", with: "") }
    var path: String { components.joined(separator: ".") }
    var isType: Bool { ["struct", "class", "enum", "protocol", "actor"].contains(kind) }
    /// One line with the symbol's place and its declaration.
    var line: String {
      let declaration = fragments.map(\.spelling).joined().replacing(/\s+/, with: " ")
      return "\(path): \(declaration)"
    }
  }

  let symbols: [Symbol]

  /// Each module is extracted once per process.
  private static let extracted = Mutex<[String: Task<[Symbol], any Error>]>([:])

  /// - Throws: ``TestFailure`` with the messages of the tool.
  static func of(_ module: String) async throws -> [Symbol] {
    let task = extracted.withLock { extracted in
      let task = extracted[module] ?? Task { try await extract(module) }
      extracted[module] = task
      return task
    }
    return try await task.value
  }

  /// Extracts the graph, unless it was extracted after the module was built, because the extraction
  /// takes seconds.
  private static func extract(_ module: String) async throws -> [Symbol] {
    let folder = Checkout.root.appending(path: ".build/symbols")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "\(module).symbols.json")
    let built = Checkout.root.appending(path: ".build/debug/Modules/\(module).swiftmodule")
    if try date(of: file) ?? .distantPast < date(of: built) ?? .distantFuture {
      let process = try TestProcess(
        Checkout.root.appending(path: "Sources/Tools/Site/symbols").path(),
        [module, folder.path(), "-skip-synthesized-members"],
        environment: ProcessInfo.processInfo.environment, directory: Checkout.root.path())
      let ended = try await process.wait()
      guard ended.status == 0 else {
        throw TestFailure("symbolgraph-extract of \(module): \(ended.errors)")
      }
    }
    return try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file)).symbols
  }

  private static func date(of file: URL) throws -> Date? {
    guard FileManager.default.fileExists(atPath: file.path()) else { return nil }
    return try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
  }
}
