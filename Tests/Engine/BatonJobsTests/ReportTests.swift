import BatonJobs
import Testing

@Suite struct ReportTests {
  @Test(
    arguments: [
      (["parcels sent": 1, "kept": 24], "1 parcel sent, 24 kept"),
      (["parcels sent": 2, "kept": 1], "2 parcels sent, 1 kept"),
      (["entries": 1, "batches made": 1, "boxes": 1], "1 entry, 1 batch made, 1 box"),
      (["passes": 1, "dishes": 1, "ties": 1], "1 pass, 1 dish, 1 tie"),
      (["weeks": 0, "glass": 1], "0 weeks, 1 glass"),
    ] as [(Report, String)])
  func `one of what is counted is said in the singular`(report: Report, text: String) {
    #expect(report.description == text)
  }

  @Test func `counts keep the order in which they were named, and add up`() {
    let first: Report = ["weeks closed": 2, "told": 0]
    let sum = first + ["pruned": 1, "told": 3]
    #expect(sum == ["weeks closed": 2, "told": 3, "pruned": 1])
    #expect(sum != ["told": 3, "weeks closed": 2, "pruned": 1])
    #expect("\(sum)" == "2 weeks closed, 3 told, 1 pruned")
    #expect(sum["told"] == 3 && sum["nobody"] == 0)
  }

  @Test func `nothing mentioned is not the same as nothing done`() {
    #expect(Report().isEmpty && Report().isAllZero)
    #expect(!Report(dictionaryLiteral: ("told", 0)).isEmpty)
    #expect(Report(dictionaryLiteral: ("told", 0)).isAllZero)
    #expect(!Report(dictionaryLiteral: ("told", 0), ("closed", 1)).isAllZero)
  }

  @Test func `JSON keeps the order and escapes what it must`() {
    #expect(Report().json == "{}")
    let report: Report = ["b": 1, "a \"q\" \\ \n": -2]
    #expect(report.json == #"{"b":1,"a \"q\" \\ \u000a":-2}"#)
  }
}
