// Values shared by the threads of a test.

import Synchronization

final class Mutexed<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>

    init(_ value: Value) { storage = Mutex(value) }

    var value: Value { storage.withLock { $0 } }
}

extension Mutexed {
    func append<Element>(_ element: Element) where Value == [Element] {
        storage.withLock { $0.append(element) }
    }
}

extension Mutexed {
    func set(_ value: Value) { storage.withLock { $0 = value } }
}
