import ArgumentParser
import Baton
import BatonPostgres
import OrdersSQL

/// The `orders` program, with its jobs, its schema module and its own command.
@main
struct Orders: Application {
  static let name = "orders"
  static let abstract = "Process ordered parcels."
  static let release = 1
  static let jobs = [
    RegisteredJob(TellWarehouse.self) { Parcels($0) },
    RegisteredJob(RecallProduct.self) { Parcels($0) },
    RegisteredJob(CountDays.self) { Parcels($0) },
    RegisteredJob(TellOnCall.self) { _ in Webhook() },
  ]
  static let parts = [SQL.orders]
  static let commands: [any ParsableCommand.Type] = [ToPackCommand.self]
}
