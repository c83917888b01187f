// Stores that are suspended while their app is in the background.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct SuspendedNote: Hashable {
    let id: Int
}

@Suite("The decisions about a suspension") struct BackgroundDecisionTests {
    private typealias Event = BackgroundSuspension.Event
    private typealias Step = BackgroundSuspension.Step

    private static func steps(
        _ events: [Event], followsApp: Bool = true, needsProtectedData: Bool = false
    ) -> [Step?] {
        var state = BackgroundSuspension(followsApp: followsApp, needsProtectedData: needsProtectedData)
        return events.map { state?.note($0) }
    }

    @Test func aStore_isSuspendedInTheBackground_andResumedInTheForeground() {
        let steps = Self.steps([.enteredBackground, .suspended, .willEnterForeground, .resumed])
        #expect(steps == [.suspend, nil, .resume, nil])
        // The locked device is of no concern to a file that can be decrypted.
        #expect(Self.steps([.protectedDataWillBecomeUnavailable]) == [nil])
    }

    @Test func aCompletelyProtectedStore_isSuspendedWhileTheDeviceIsLocked() {
        let events: [Event] = [
            .protectedDataWillBecomeUnavailable, .suspended, .protectedDataDidBecomeAvailable, .resumed,
        ]
        #expect(
            Self.steps(events, followsApp: false, needsProtectedData: true) == [.suspend, nil, .resume, nil])
        #expect(Self.steps([.enteredBackground], followsApp: false, needsProtectedData: true) == [nil])
        // With both reasons, the last of them resumes the store.
        let both: [Event] = [
            .enteredBackground, .suspended, .protectedDataWillBecomeUnavailable, .willEnterForeground,
            .protectedDataDidBecomeAvailable,
        ]
        #expect(Self.steps(both, needsProtectedData: true) == [.suspend, nil, nil, nil, .resume])
    }

    @Test func anAppThatComesBackAtOnce_isResumedAfterTheSuspension() {
        let steps = Self.steps([.enteredBackground, .willEnterForeground, .suspended, .enteredBackground, .resumed])
        #expect(steps == [.suspend, nil, .resume, nil, .suspend])
    }

    @Test func openTransactions_areWaitedForAgain_untilTheTimeIsOver() {
        let steps = Self.steps([
            .enteredBackground, .wasBusy, .wasBusy, .timeIsOver, .wasBusy, .willEnterForeground, .enteredBackground,
        ])
        #expect(steps == [.suspend, .suspend, .suspend, nil, nil, nil, .suspend])
    }

    @Test func theProgramsOwnSuspension_isItsOwn() {
        #expect(Self.steps([.enteredBackground, .wasSuspended, .willEnterForeground]) == [.suspend, nil, nil])
        #expect(Self.steps([.enteredBackground, .failed, .willEnterForeground]) == [.suspend, nil, nil])
    }

    @Test func aStoreWithoutAReason_isLeftAlone() {
        #expect(BackgroundSuspension(followsApp: false, needsProtectedData: false) == nil)
    }

    /// After any notifications, at any moments, the store is in the state of the last ones.
    @Test func randomNotifications_endInTheRightState() {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for round in 0..<2_000 {
            let (follows, protects) = (Bool.random(using: &random), Bool.random(using: &random))
            guard var state = BackgroundSuspension(followsApp: follows, needsProtectedData: protects) else { continue }
            var (isInBackground, isLocked, isSuspended) = (false, false, false)
            var step: Step?
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                let event: Event
                if step != nil, Bool.random(using: &random) {
                    // The step ends. A busy one is tried again.
                    let isBusy = step == .suspend && Bool.random(using: &random)
                    event = isBusy ? .wasBusy : step == .suspend ? .suspended : .resumed
                    if !isBusy { isSuspended = step == .suspend }
                    step = nil
                } else {
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: (event, isInBackground) = (.enteredBackground, true)
                    case 1: (event, isInBackground) = (.willEnterForeground, false)
                    case 2: (event, isLocked) = (.protectedDataWillBecomeUnavailable, true)
                    default: (event, isLocked) = (.protectedDataDidBecomeAvailable, false)
                    }
                }
                let next = state.note(event)
                #expect(step == nil || next == nil, "two steps at once in round \(round) of seed \(seed)")
                if let next { step = next }
            }
            while let current = step {
                isSuspended = current == .suspend
                step = state.note(isSuspended ? .suspended : .resumed)
            }
            #expect(
                isSuspended == (follows && isInBackground || protects && isLocked), "round \(round) of seed \(seed)")
        }
    }

    @Test func containersOfAppGroups_areKnownByTheirPaths() {
        let group = "/private/var/mobile/Containers/Shared/AppGroup/0FC5/people.trove"
        let own = "/private/var/mobile/Containers/Data/Application/0FC5/Documents/people.trove"
        #expect(BackgroundSuspension(StoreOptions(), path: group) != nil)
        #expect(BackgroundSuspension(StoreOptions(), path: own) == nil)
        #expect(BackgroundSuspension(StoreOptions(suspendsInBackground: false), path: group) == nil)
        #expect(BackgroundSuspension(StoreOptions(suspendsInBackground: true), path: own) != nil)
        #expect(BackgroundSuspension(StoreOptions(fileProtection: .complete), path: own) != nil)
        #expect(BackgroundSuspension(StoreOptions(fileProtection: .completeUnlessOpen), path: own) == nil)
    }
}

@Suite("Stores in the background") struct BackgroundSuspensionTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("parcels.trove")
    }

    private func open() throws -> Store { try Store(path: path, records: [SuspendedNote.self]) }

    /// Returns a suspender whose steps are done on the calling thread.
    private func suspender(
        of store: Store, needsProtectedData: Bool = false, patience: Duration = .seconds(10),
        activity: @escaping BackgroundSuspender.Activity = { $0(false) }
    ) throws -> BackgroundSuspender {
        let decisions = BackgroundSuspension(followsApp: !needsProtectedData, needsProtectedData: needsProtectedData)
        return BackgroundSuspender(
            try #require(decisions), store.references, path: store.path, patience: patience, activity: activity)
    }

    @Test func notifications_suspendAndResume() throws {
        let store = try open()
        let suspender = try suspender(of: store)
        for number in 0..<3 {
            suspender.receive(.enteredBackground)
            #expect(store.isSuspended)
            let waiting = RunningThread { try store.insert(SuspendedNote(id: number)) }
            suspender.receive(.willEnterForeground)
            #expect(!store.isSuspended)
            #expect(try waiting.value())
        }
        #expect(try SuspendedNote.query().count(in: store) == 3)
    }

    @Test func aLockedDevice_suspendsAProtectedStore() throws {
        let store = try open()
        let suspender = try suspender(of: store, needsProtectedData: true)
        suspender.receive(.enteredBackground)
        #expect(!store.isSuspended)
        suspender.receive(.protectedDataWillBecomeUnavailable)
        #expect(store.isSuspended)
        suspender.receive(.protectedDataDidBecomeAvailable)
        #expect(!store.isSuspended)
    }

    @Test func theProgramsOwnSuspension_isNotEnded() throws {
        let store = try open()
        let suspender = try suspender(of: store)
        try store.suspend()
        suspender.receive(.enteredBackground)
        suspender.receive(.willEnterForeground)
        #expect(store.isSuspended)
        try store.resume()
    }

    /// The time is over while a read is open. The store stays as it is, and the next time it is suspended.
    @Test func anOpenRead_isNotCutOff() throws {
        let store = try open()
        let suspender = try suspender(of: store, patience: .milliseconds(1)) { body in
            body(false)
            body(true)
        }
        try store.read { _ in
            try onAnotherThread {
                // The first attempt has no time.
                let hasty = try self.suspender(of: store, patience: .milliseconds(1)) { $0(true) }
                hasty.receive(.enteredBackground)
            }
            #expect(!store.isSuspended)
        }
        suspender.receive(.enteredBackground)
        #expect(store.isSuspended)
        suspender.receive(.willEnterForeground)
    }

    @Test func aClosedStore_isLeftAlone() throws {
        let store = try open()
        let suspender = try suspender(of: store)
        try store.close()
        suspender.receive(.enteredBackground)
        suspender.receive(.willEnterForeground)
        let again = try open()
        #expect(try again.insert(SuspendedNote(id: 1)))
    }

    @Test func theOptions_decideAtTheFirstOpening() throws {
        func isFollowing(_ store: Store) -> Bool {
            store.catalog.attachments.object(of: BackgroundSuspender.self) != nil
        }
        #expect(try !isFollowing(open()))
        let options = StoreOptions(suspendsInBackground: true)
        #expect(try !isFollowing(Store.temporary(options: options)))
        let store = try Store(path: path, options: options)
        #expect(isFollowing(store))
        // On another thread, as on a device.
        store.catalog.attachments.object(of: BackgroundSuspender.self)?.receive(.enteredBackground)
        while !store.isSuspended {}
        store.catalog.attachments.object(of: BackgroundSuspender.self)?.receive(.willEnterForeground)
        try store.insert(SuspendedNote(id: 1))
    }

    @Test func aProtection_isAcceptedEverywhere() throws {
        let protections: [StoreOptions.FileProtection] = [
            .complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication, .none,
        ]
        let numbers = try protections.enumerated().map { number, protection in
            let options = StoreOptions(fileProtection: protection)
            let store = try Store(path: directory.path("\(number).trove"), options: options)
            try store.insert(SuspendedNote(id: 1))
            try store.copy(to: directory.path("\(number).copy"))
            return store.environment.options.fileProtection.number
        }
        #expect(numbers == [1, 2, 3, 4])
    }
}
