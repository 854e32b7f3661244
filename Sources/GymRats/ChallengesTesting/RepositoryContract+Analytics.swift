import Challenges
import Foundation

extension RepositoryContract {
  static let analytics: [ContractCheck] = [
    ContractCheck("an event of a phone is counted once, up to the daily limit") {
      let contract = $0
      let ana = try await contract.user("ana")
      let event = ClientEvent(.boardFetched(milliseconds: 120))
      for _ in 0..<2 { try contract.expect(try await ana.analytics.report(event), is: true) }
      for _ in 0..<199 {
        try contract.expect(try await ana.analytics.report(ClientEvent(.linkFailed)), is: true)
      }
      let last = ClientEvent(.writeFailed)
      try contract.expect(try await ana.analytics.report(last), is: false)
      try contract.expect(try await ana.analytics.report(event), is: true)
      let ben = try await contract.user("ben")
      try contract.expect(try await ben.analytics.report(last), is: true)
      // The clock starts at noon UTC, so the next UTC day begins 12 hours later.
      try await contract.advance(by: 12 * 3_600)
      try contract.expect(try await ana.analytics.report(last), is: true)
    },
    ContractCheck("an impossible fetch time is refused, and so is an anonymous report") {
      let contract = $0
      let ana = try await contract.user("ana")
      for milliseconds in [-1, ClientEvent.longestFetch + 1, .max] {
        try await contract.expectRefusal(.invalidInput) {
          _ = try await ana.analytics.report(
            ClientEvent(.boardFetched(milliseconds: milliseconds)))
        }
      }
      for milliseconds in [0, ClientEvent.longestFetch] {
        try contract.expect(
          try await ana.analytics.report(
            ClientEvent(.boardFetched(milliseconds: milliseconds))), is: true)
      }
      for nobody in [
        try await contract.environment.repositories(for: nil),
        try await contract.environment.repositories(for: "nobody"),
      ] {
        try await contract.expectRefusal(.notAuthenticated) {
          _ = try await nobody.analytics.report(ClientEvent(.linkFailed))
        }
        try await contract.expectRefusal(.notAuthenticated) {
          _ = try await nobody.analytics.isBeta()
        }
      }
    },
    ContractCheck("a beta with a share of 0 contains no user") {
      try $0.expect(try await $0.user("ana").analytics.isBeta(), is: false)
    },
  ]
}
