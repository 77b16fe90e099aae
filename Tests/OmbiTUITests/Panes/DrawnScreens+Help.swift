/// The help, and the first screen on a terminal without symbols.
extension DrawnScreens {
    static let helpWide = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ╭┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ││ Response                                                  w                Save the collection                     ││
        ││ ] Enter          Go to the next tab                       T                Show the run of the last folder         ││
        ││ [                Go to the previous tab                   u                Undo the last edit of the collection    ││
        ││ Left h           Scroll left                              U Ctrl+R         Redo the edit undone last               ││
        ││ Right l          Scroll right                             Ctrl+N           Open a scratch request, which is in no  ││
        ││ ,                Show the response before this one                         file                                    ││
        ││ .                Show the response after this one         Tab              Go to the next pane                     ││
        ││ X                Expect the value under the cursor        Shift+Tab        Go to the previous pane                 ││
        ││ Y                Choose what to copy                      1                Go to the requests                      ││
        ││                                                           2                Go to the request                       ││
        ││ Lists and bodies                                          3                Go to the response                      │┪
        ││ Up k             Move up                                  z                Toggle full screen for this pane        │┃
        ││ Down j           Move down                                Alt+Left         Move the divider left                   │┃
        ││ PageUp           Move a page up                           Alt+Right        Move the divider right                  │┃
        ││ PageDown Space   Move a page down                         Alt+Up           Move the divider up                     │┃
        ││ Ctrl+U           Move half a page up                      Alt+Down         Move the divider down                   │┃
        ││ Ctrl+D           Move half a page down                    H                Show the history of the request         │┃
        ││ g Home           Go to the top                            y                Copy what is under the cursor           │┃
        ││ G End            Go to the end                            Ctrl+L           Redraw the screen                       │┃
        ││                                                           Ctrl+Z           Suspend Ombi (fg resumes it)            │┃
        ││ Everywhere                                                Esc              Leave full screen                       │┃
        ││ s F5             Send the request; run the folder or      : Ctrl+P         Find a command, a request or an         │┃
        ││                  the collection                                            environment                             │┃
        ││ x                Cancel the run                           L                Show the message log                    │┃
        ││ r                Retry now: end the wait or the attempt   F1               Open the manual                         │┃
        ││ +                Allow one more attempt                   ?                Show this help                          │┃
        ││ E                Switch the environment                   q Ctrl+C         Quit, after a question about unsaved    │┃
        ││ O                Sign out: forget the environment's                        edits                                   │┃
        ││                  OAuth 2 tokens                                                                                    │┃
        │└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘┃
        ╰──────────────────────────── 3/5 ─┺━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
         / search  PageDown more  Esc close
        """

    static let helpSearch = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┏┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ┃│ /copy                                                                                                              ││
        ┃│                                                                                                                    ││
        ┃│ Requests                                                  Editing a field                                          ││
        ┃│ c                Copy the item to a folder                Alt+c            Copy the selection, or the line         ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                           Editing a body                                           ││
        ┃│ Everywhere                                                Alt+c            Copy the selection, or the line         ││
        ┃│ y                Copy what is under the cursor                                                                     ││
        ┃│                                                                                                                    ││
        ┃│ Marked requests                                                                                                    ││
        ┃│ P                Copy the marked items here                                                                        │┤
        ┃│                                                                                                                    ││
        ┃│ Request                                                                                                            ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                                                                                    ││
        ┃│ Response                                                                                                           ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                                                                                    ││
        ┃│ Body                                                                                                               ││
        ┃│ y                Copy the value or line under the                                                                  ││
        ┃│                  cursor                                                                                            ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│ Alt+y            Copy the whole body                                                                               ││
        ┃│ C                Copy the path of the value under the                                                              ││
        ┃│                  cursor                                                                                            ││
        ┃│                                                                                                                    ││
        ┃│ Selected rows                                                                                                      ││
        ┃│ y                Copy the selected rows                                                                            ││
        ┃│                                                                                                                    ││
        ┃└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘│
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/5 ━┹───────────────────────────────────────────────────────────────────────────────────╯
         Enter keep  Esc all keys
        """

    static let ascii = """
         demo > users > list users                              local v  127.0.0.1:8765
        + 1 Requests ==================================================================+
        | v demo                                                                     3 |
        |  v users                                                                   3 |
        |    GET   list users                                                          |
        |    GET   user by id                                                          |
        |    POST  create user                                                         |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        +======================================================================== 3/5 =+
         s send  Enter open  / search  a add  R rename  : commands  ? help  q quit
        """
}
