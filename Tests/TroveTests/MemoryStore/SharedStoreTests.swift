// A store that is created when it is first needed.

import Foundation
import LMDB
import Testing

@testable import Trove

@Suite("Shared stores") struct SharedStoreTests {
    @Test func aFailure_isNotKept() throws {
        let attempts = Monitor(0)
        let shared = SharedStore {
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            if attempt < 3 { throw CocoaError(.fileWriteOutOfSpace) }
            return try Store.temporary()
        }
        #expect(throws: CocoaError.self) { try shared.store() }
        #expect(throws: CocoaError.self) { try shared.store() }
        let store = try shared.store()
        #expect(try shared.store() === store && attempts.withLock { $0 } == 3)
    }
}
