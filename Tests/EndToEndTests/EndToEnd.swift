import Testing

/// The stories of whole programs: the real binaries, in a real terminal, with a real server on 127.0.0.1.
/// One after the other, because each waits for a program that wants the processor; on a thread of their own, because
/// waiting would hold up the tests that share the pool.
@Suite(.serialized, .onOwnThread) enum EndToEnd {}
