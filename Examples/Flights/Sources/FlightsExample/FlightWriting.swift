// The cost of denormalizing: every change of a flight writes all three of its records in a single transaction.

import Trove

extension FlightByPlane {
    /// Copies a flight; nil if its plane is unknown.
    init?(_ flight: Flight) {
        guard let tailNumber = flight.tailNumber else { return nil }
        self.init(
            tailNumber: tailNumber, scheduledDeparture: flight.scheduledDeparture, carrier: flight.carrier,
            number: flight.number, origin: flight.origin, destination: flight.destination,
            departureDelay: flight.departureDelay)
    }
}

extension FlightByDelay {
    /// Creates the pointer to a flight; nil if the flight was cancelled.
    init?(_ flight: Flight) {
        guard let delay = flight.departureDelay else { return nil }
        self.init(
            delay: delay, origin: flight.origin, scheduledDeparture: flight.scheduledDeparture,
            carrier: flight.carrier, number: flight.number)
    }
}

extension Flight {
    /// Writes new flights and their copies.
    static func insert(_ flights: [Flight], in context: TransactionContext) throws {
        try context.insert(contentsOf: flights)
        try context.insert(contentsOf: flights.compactMap(FlightByPlane.init))
        try context.insert(contentsOf: flights.compactMap(FlightByDelay.init))
    }

    /// Writes a changed flight, and moves the copies whose keys or fields the change touches.
    static func replace(_ old: Flight, with new: Flight, in context: TransactionContext) throws {
        try delete(old, in: context)
        try insert([new], in: context)
    }

    /// Deletes all flights and their copies.
    static func deleteAll(in context: TransactionContext) throws {
        try query().delete(in: context)
        try FlightByPlane.query().delete(in: context)
        try FlightByDelay.query().delete(in: context)
    }

    /// Deletes a flight and its copies.
    static func delete(_ flight: Flight, in context: TransactionContext) throws {
        try context.delete(flight)
        if let copy = FlightByPlane(flight) { try context.delete(copy) }
        if let pointer = FlightByDelay(flight) { try context.delete(pointer) }
    }
}
