import ArgumentParser
import Baton
import BatonPostgres
import OrdersSQL

/// The program `orders`: its jobs, what they need of a schema, and a command beside the runner's.
@main
struct Orders: Application {
  static let name = "orders"
  static let abstract = "Parcels that were ordered, and what has to happen with them."
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
