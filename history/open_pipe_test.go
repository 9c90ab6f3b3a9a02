//go:build unix

package history

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func pipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	return path
}

func TestANamedPipeIsReadAsStandardInputIs(t *testing.T) {
	path := pipe(t)
	go func() {
		_ = os.WriteFile(path, []byte(`{"messages":[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]}`), 0)
	}()
	list, err := Open(context.Background(), path, Options{})
	if err != nil || len(list) != 1 || len(list[0].Conversations) != 1 {
		t.Errorf("%d recordings, %v", len(list), err)
	}
}

func TestANamedPipeThatNobodyWritesToEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, pipe(t), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestANamedPipeThatStopsHalfWayEndsWithTheContext(t *testing.T) {
	path := pipe(t)
	w, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.WriteString(`{"messages":[{"role":"user",`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if _, err := Open(ctx, path, Options{Progress: func(int64, int64) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestDevicesAndSocketsAreRefused(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip("no sockets here: ", err)
	}
	defer l.Close()
	for _, path := range []string{socket, "/dev/zero"} {
		_, err := Open(context.Background(), path, Options{})
		var refused *OpenError
		if !errors.As(err, &refused) || refused.Reason != "a device or a socket is no recording" {
			t.Errorf("%s: %v", path, err)
		}
	}
}
