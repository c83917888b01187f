// The decisions about the suspension of a store by the notifications of its app: a state machine without a clock.

/// The state of a store whose app can go to the background.
///
/// Each event returns the step to do next, if there is one. Only one step is done at a time; its result is an event,
/// too.
struct BackgroundSuspension {
    /// A notification of the system, or the result of a step.
    enum Event: Hashable, Sendable {
        case enteredBackground, willEnterForeground
        case protectedDataWillBecomeUnavailable, protectedDataDidBecomeAvailable
        /// The system is about to suspend the app.
        case timeIsOver
        /// The store was suspended by the step.
        case suspended
        /// The program had suspended the store, and resumes it.
        case wasSuspended
        /// Transactions have stayed open.
        case wasBusy
        /// The store cannot be suspended: it is closed.
        case failed
        /// The store was resumed, or its next transaction opens the file.
        case resumed
    }

    enum Step: Hashable, Sendable { case suspend, resume }

    /// Whether the store is suspended in the background.
    private let followsApp: Bool
    /// Whether the store is suspended while its file cannot be decrypted.
    private let needsProtectedData: Bool
    private var isInBackground = false
    private var isLocked = false
    /// Whether a step has suspended the store.
    private var isSuspended = false
    /// The step in progress.
    private var current: Step?
    private var isTimeOver = false
    /// Whether the store cannot be suspended until the next notification.
    private var hasGivenUp = false

    /// Creates the state of an app in the foreground; nil if the store is never suspended.
    init?(followsApp: Bool, needsProtectedData: Bool) {
        guard followsApp || needsProtectedData else { return nil }
        self.followsApp = followsApp
        self.needsProtectedData = needsProtectedData
    }

    /// Creates the state for a store at a path by its options; nil if the store is never suspended.
    init?(_ options: StoreOptions, path: String) {
        self.init(
            followsApp: options.suspendsInBackground ?? Self.isInAppGroup(path),
            needsProtectedData: options.fileProtection == .complete)
    }

    /// Returns whether a canonical path is in the container of an app group of iOS.
    static func isInAppGroup(_ path: String) -> Bool { path.contains("/Containers/Shared/AppGroup/") }

    private var isToBeSuspended: Bool { followsApp && isInBackground || needsProtectedData && isLocked }

    /// Notes an event, and returns the next step.
    mutating func note(_ event: Event) -> Step? {
        switch event {
        case .enteredBackground: noteNotification { $0.isInBackground = true }
        case .willEnterForeground: noteNotification { $0.isInBackground = false }
        case .protectedDataWillBecomeUnavailable: noteNotification { $0.isLocked = true }
        case .protectedDataDidBecomeAvailable: noteNotification { $0.isLocked = false }
        case .timeIsOver: isTimeOver = true
        case .suspended: noteEnd(isSuspended: true)
        case .resumed: noteEnd(isSuspended: false)
        case .wasBusy:
            noteEnd(isSuspended: false)
            hasGivenUp = isTimeOver
        case .wasSuspended, .failed:
            noteEnd(isSuspended: false)
            hasGivenUp = true
        }
        return nextStep()
    }

    private mutating func noteNotification(_ change: (inout Self) -> Void) {
        change(&self)
        isTimeOver = false
        hasGivenUp = false
    }

    private mutating func noteEnd(isSuspended: Bool) {
        self.isSuspended = isSuspended
        current = nil
    }

    private mutating func nextStep() -> Step? {
        guard current == nil else { return nil }
        if isToBeSuspended, !isSuspended, !hasGivenUp { current = .suspend }
        if !isToBeSuspended, isSuspended { current = .resume }
        return current
    }
}
