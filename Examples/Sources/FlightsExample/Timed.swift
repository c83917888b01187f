// The duration of a piece of work.

/// A result with the duration of its computation.
struct Timed<Value> {
    let value: Value
    let duration: Duration
}

extension Timed: Sendable where Value: Sendable {}

/// Returns the result of a closure, and the duration of the closure.
func timed<Value>(_ body: () throws -> Value) rethrows -> Timed<Value> {
    let start = ContinuousClock.now
    let value = try body()
    return Timed(value: value, duration: ContinuousClock.now - start)
}
