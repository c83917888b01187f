// The groups of a query, and the state of an aggregate for each.

/// Groups by their key bytes.
struct Groups<State> {
    private var places: [[UInt8]: Int] = [:]
    private let initial: State
    /// The states, by the places of their groups.
    var states: [State] = []

    init(initial: State) { self.initial = initial }

    /// Returns the place of a group. A new group gets the initial state.
    mutating func place(of key: [UInt8]) -> Int {
        if let place = places[key] { return place }
        places[key] = states.count
        states.append(initial)
        return states.count - 1
    }

    /// Returns the groups in the order of their keys.
    func sorted() -> [(key: [UInt8], state: State)] {
        places.sorted { TopN.precedes($0.key, $1.key) }.map { (key: $0.key, state: states[$0.value]) }
    }
}
