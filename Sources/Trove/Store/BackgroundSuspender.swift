// The suspension of a store by the notifications of its app.

import Dispatch
import LMDB
import Logging

/// Suspends and resumes an open file as `BackgroundSuspension` decides: one for all references to the file.
final class BackgroundSuspender: Sendable {
    /// Runs a closure in the background, and again with true when the system is about to suspend the process.
    typealias Activity = @Sendable (@escaping @Sendable (_ isTimeOver: Bool) -> Void) -> Void

    private let decisions: Monitor<BackgroundSuspension>
    private let stores: OpenStores
    private let path: String
    private let patience: Duration
    private let activity: Activity
    private let notifications = Monitor<AppNotifications?>(nil)

    /// - Parameters:
    ///   - decisions: The decisions.
    ///   - stores: The references to the file.
    ///   - path: The path of the file, for the log.
    ///   - patience: The time for which an attempt waits for open transactions.
    ///   - activity: The system's activities.
    init(
        _ decisions: BackgroundSuspension, _ stores: OpenStores, path: String, patience: Duration = .seconds(2),
        activity: @escaping Activity = AppNotifications.runInBackground
    ) {
        self.decisions = Monitor(decisions)
        self.stores = stores
        self.path = path
        self.patience = patience
        self.activity = activity
        let observed = AppNotifications { [weak self] event in self?.receive(event) }
        notifications.withLock { $0 = observed }
    }

    /// Receives a notification of the app.
    func receive(_ event: BackgroundSuspension.Event) {
        guard let step = decisions.withLock({ $0.note(event) }) else { return }
        let hasBegun = Monitor(false)
        activity { [self] isTimeOver in
            if isTimeOver { _ = decisions.withLock { $0.note(.timeIsOver) } }
            let isFirst = hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
            // Also when there was no time from the start: a store without open transactions is suspended in no time.
            if isFirst { run(step) }
        }
    }

    private func run(_ first: BackgroundSuspension.Step) {
        var step: BackgroundSuspension.Step? = first
        while let current = step {
            let event = current == .suspend ? suspend() : resume()
            step = decisions.withLock { $0.note(event) }
            if event == .wasBusy, step == nil {
                Logger(label: "trove").warning(
                    "A store was not suspended, since its transactions stayed open", metadata: ["path": "\(path)"])
            }
        }
    }

    private func suspend() -> BackgroundSuspension.Event {
        guard let store = stores.anyOpen else { return .failed }
        do throws(LMDBError) {
            return try store.environment.shared.suspend(within: patience, refusing: false)
                ? .suspended : .wasSuspended
        } catch {
            return error.code == .busy ? .wasBusy : .failed
        }
    }

    private func resume() -> BackgroundSuspension.Event {
        do throws(LMDBError) {
            try stores.anyOpen?.environment.shared.resume()
        } catch {
            Logger(label: "trove").warning(
                "The file of a store could not be opened again; its next transaction tries again",
                metadata: ["path": "\(path)", "error": "\(error)"])
        }
        return .resumed
    }
}

extension Store {
    /// Suspends the store by the notifications of the app, if the options say so. The first open of a file sets it.
    func followApp(_ options: StoreOptions) {
        guard !environment.options.isTemporary, let decisions = BackgroundSuspension(options, path: path) else {
            return
        }
        let stores = references
        catalog.attachments.object { BackgroundSuspender(decisions, stores, path: path) }
    }
}
