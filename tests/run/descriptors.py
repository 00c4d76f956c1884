"""What becomes of a program's descriptors: copies, closing everything, fork, exec, and the way over a socket into
another process, for devices and for dma-bufs."""

import running


class Descriptors(running.Case):
    def test_copies_are_the_device(self):
        self.client("open", "dup", "create", "fill", "check")

    def test_a_buffer_is_shared_with_the_child_of_fork(self):
        self.client("open", "create", "fill", "fork", "check")

    def test_an_exported_buffer(self):
        self.client("open", "create", "fill", "export", "check")

    def test_devices_and_buffers_outlive_exec(self):
        self.client("open", "create", "fill", "export", "inherit", "check")

    def test_devices_and_buffers_go_over_a_socket(self):
        self.client("open", "create", "fill", "export", "send", "check")

    def test_closing_everything(self):
        self.client("open", "create", "fill", "close-all", "fill", "export", "check")

    def test_reading_and_writing(self):
        self.client("open", "create", "fill", "export", "transfer", "read-device", "check")

    def test_waiting(self):
        self.client("open", "create", "fill", "export", "poll", "check")


if __name__ == "__main__":
    running.main()
