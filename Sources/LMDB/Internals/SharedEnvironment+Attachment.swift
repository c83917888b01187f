// What the layer above keeps for as long as the file is open in this process.

extension SharedEnvironment {
    /// The one object that the layer above shares between all who have the file open; made by who asks first.
    ///
    /// It must not hold the environment, which holds it.
    package func attachment<Attached: AnyObject & Sendable>(_ make: () -> Attached) -> Attached {
        attached.withLock { attached in
            if let existing = attached as? Attached { return existing }
            let made = make()
            attached = made
            return made
        }
    }
}
