// The end of tests that wait for ever.

import Testing

extension Trait where Self == TimeLimitTrait {
    /// Cancels a test that waits for what never comes.
    ///
    /// All tests start at once, and wait for threads: the limit is far above the time of the whole suite on a busy
    /// machine.
    static var hangLimit: Self { .timeLimit(.minutes(60)) }
}
