import BatonJobs
import Foundation
import TestSupport
import Testing

@testable import ChallengeJobs

@Suite struct RegistryTests {
  @Test func `every file of the jobs folder is a job that is listed`() throws {
    let folder = Checkout.root.appending(path: "jobs/challenges")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
      .filter { $0.hasSuffix(".swift") && $0 != "Jobs.swift" }
      .map { String($0.dropLast(".swift".count)) }
    let jobs = Jobs.all.map { "\($0)" } + Jobs.pushes.map { "\($0)" }
    #expect(Set(files) == Set(jobs))
  }

  @Test func `no two jobs share a name`() {
    let names = Jobs.all.map { $0.name } + Jobs.pushes.map { $0.name }
    #expect(Set(names).count == names.count)
  }
}
