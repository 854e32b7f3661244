package import ProductPostgres

extension PresenceDatabase: ActorCalling {}
