import Foundation
import TestSupport
import Testing

/// Tests that the search for passwords in the output of all tests can fail.
@Suite struct CanaryTests {
  private static let value = "canary0123456789abcdef"

  private func leaks(_ files: [String], canary: String = value) async throws -> TestProcess.Ended {
    let script = ExampleProgram.root.appending(path: "Tests/leaks").path(percentEncoded: false)
    return try await TestProcess(
      script, files, environment: ["PGPASSWORD": canary, "PATH": "/usr/bin:/bin"], directory: "/"
    ).wait()
  }

  @Test func `what is printed is searched, and the canary not printed again`() async throws {
    let folder = try TemporaryFolder()
    let clean = try folder.write("clean", lines: ["canary", "0123456789abcdef", "c4nary"])
    let telling = try folder.write("telling", lines: ["a", "error: \(Self.value): no"])
    let binary = try folder.write("binary", [0, 255, 10] + Array(Self.value.utf8) + [0])
    #expect(try await leaks([clean]).status == 0)
    for files in [[telling], [clean, telling], [telling, clean], [binary]] {
      let ended = try await leaks(files)
      #expect(ended.status == 1, "\(ended.errors)")
      #expect(ended.output.hasPrefix("the canary is in \(folder.path)/"))
      #expect(!(ended.output + ended.errors).contains(Self.value))
    }
    // A file that cannot be searched makes the search fail.
    for (files, canary) in [
      ([clean, folder.path + "/gone"], Self.value), ([clean], ""), ([clean], "short"),
      ([], Self.value),
    ] {
      #expect(try await leaks(files, canary: canary).status == 2, "\(files)")
    }
  }

  @Test func `what programs write into files is searched before it is removed`() throws {
    let report = try TemporaryFolder()
    let canary = Canary(Self.value, report: report.path + "/report")
    let folder = try TemporaryFolder()
    _ = try folder.write("output", lines: ["nothing", "canary"])
    try FileManager.default.createDirectory(
      atPath: folder.path + "/below", withIntermediateDirectories: true)
    canary.search(folder.path)
    #expect(!FileManager.default.fileExists(atPath: report.path + "/report"))
    _ = try folder.write("below/errors", lines: ["nothing", Self.value])
    canary.search(folder.path)
    let found = try String(contentsOfFile: report.path + "/report", encoding: .utf8)
    #expect(found.hasSuffix("/below/errors, at byte 8\n"))
    #expect(!found.contains(Self.value))
  }

  @Test(.enabled(if: Canary.ofRun != nil, "needs Tests/run"))
  func `every program is given the canary of the run`() async throws {
    let planted = try #require(ProcessInfo.processInfo.environment[Canary.variable])
    let line = #"[ "$PGPASSWORD" = "$EXPECTED" ] && [ ${#PGPASSWORD} -ge 16 ]"#
    let ended = try await BatonProgram(environment: ["EXPECTED": planted]).run(bash: line, [])
    #expect(ended.status == 0, "\(ended.errors)")
  }
}
