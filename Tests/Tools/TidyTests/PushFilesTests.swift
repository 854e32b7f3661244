import Foundation
import TestSupport
import Testing

/// Tests that both products use the same SQL for devices that receive push notifications.
///
/// The tests of GymRats' SQL functions therefore also test the functions of Who's There.
@Suite(.ownThreads) struct PushFilesTests {
  @Test(arguments: [
    "functions/register_push_device.sql", "functions/check_push_device.sql",
    "functions/push_devices.sql", "functions/remove_push_device.sql",
    "functions/push_settings.sql", "functions/quiet_end.sql", "functions/limit_pushes.sql",
    "api/push_settings.sql", "retention/purge_push_devices.sql",
  ])
  func `both products have the same file`(path: String) throws {
    #expect(
      try Checkout.text("sql/challenges/\(path)") == Checkout.text("sql/presence/\(path)"))
  }

  @Test(arguments: ["count_dropped.sql", "forget_device.sql"])
  func `both products have the same statement`(name: String) throws {
    #expect(
      try Checkout.text("sql/challenges/pushes/\(name)")
        == Checkout.text("sql/presence/push/\(name)"))
  }

  @Test func `both products have the same tables`() throws {
    func tables(_ path: String) throws -> [String] {
      try Checkout.text(path).matches(of: /(?s)create table \w+ \(.*?\n\);/).map {
        String($0.output)
      }
    }
    let gymRats = try tables("sql/challenges/migrations/0018_register_push_devices.sql")
    #expect(gymRats.count == 2)
    #expect(gymRats == (try tables("sql/presence/migrations/0013_register_push_devices.sql")))
  }
}
